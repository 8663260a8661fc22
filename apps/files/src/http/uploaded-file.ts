import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import { BadInput, UnsupportedMediaType } from '@libs/envelope';

const CHUNK = 1024 * 1024;
/** How much of a refused upload is read and dropped, so that its sender gets to read why. */
const DROPPED = 64 * 1024 * 1024;

export interface UploadedFile {
  /** As the part names it, without directories. */
  name: string;
  content: Readable;
}

/**
 * Hands the one file of a multipart body to `store` while it arrives; nothing is kept in memory. The form must have
 * exactly one file, in the part `file`.
 */
export async function receiveFile(
  request: Request,
  store: (file: UploadedFile) => Promise<void>,
): Promise<void> {
  const form = parser(request);
  const { promise: received, resolve, reject } = Promise.withResolvers<void>();
  let stored: Promise<void> | undefined;
  form.on('file', (field, content, { filename }) => {
    content.on('error', () => undefined);
    if (field !== 'file' || stored) {
      content.resume();
      return reject(
        new BadInput('FILES_UPLOAD_FORM', 'the form must hold one file, in the part "file"'),
      );
    }
    stored = store({ name: filename ?? '', content });
    stored.catch(reject);
  });
  form.once('error', (error) =>
    reject(
      new BadInput('FILES_UPLOAD_FORM', `the form cannot be read: ${(error as Error).message}`),
    ),
  );
  form.once('close', resolve);
  request.once('close', () => {
    if (!request.complete) form.destroy(new Error('the client broke off'));
  });
  request.pipe(form);
  try {
    await received;
    await stored;
    if (!stored) throw new BadInput('FILES_UPLOAD_FORM', 'the form has no file in a part "file"');
  } catch (error) {
    form.destroy();
    drop(request);
    throw error;
  }
}

function parser(request: Request) {
  if (!/^multipart\/form-data/i.test(request.headers['content-type'] ?? '')) {
    const text = 'an upload is a multipart form with a file in the part "file"';
    throw new UnsupportedMediaType('FILES_UPLOAD_FORM', text);
  }
  try {
    return busboy({
      headers: request.headers,
      fileHwm: CHUNK,
      highWaterMark: CHUNK,
      defParamCharset: 'utf8',
      limits: { fields: 20, files: 5, parts: 25 },
    });
  } catch (error) {
    throw new BadInput('FILES_UPLOAD_FORM', (error as Error).message);
  }
}

function drop(request: Request): void {
  let dropped = 0;
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > DROPPED) request.destroy();
  });
  request.resume();
}
