import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { WalkEntry } from '@libs/storage';

/** Packing is limited by the processor, and most of what people fetch is compressed little further by more effort. */
const COMPRESSION = 1;

export interface ZipPart {
  /** Below the archive's root. */
  name: string;
  entry: WalkEntry;
}

/** A zip of these entries as a stream; one file at a time is open. */
export function zipStream(parts: ZipPart[], open: (path: string) => Promise<Readable>): Readable {
  const zip = new ZipFile();
  const out = zip.outputStream as Readable;
  let reading: Readable | undefined;
  zip.on('error', (error: Error) => out.destroy(error));
  out.once('close', () => reading?.destroy());
  for (const { name, entry } of parts) {
    const mtime = entry.lastModified ?? undefined;
    if (entry.type === 'dir') zip.addEmptyDirectory(safeName(name), { mtime });
    else if (entry.type === 'file') {
      const mode = entry.executable ? 0o100775 : 0o100664;
      const options = { mtime, mode, compressionLevel: COMPRESSION };
      zip.addReadStreamLazy(safeName(name), options, (give) => {
        if (out.destroyed) return;
        open(entry.path).then(
          (stream) => {
            reading = stream;
            stream.on('error', (error) => out.destroy(error));
            give(null, stream);
          },
          (error) => give(error, undefined as never),
        );
      });
    }
  }
  zip.end();
  return out;
}

/** A zip takes a backslash for a slash and refuses drive letters; on the host they are just characters. */
function safeName(name: string): string {
  return name.replaceAll('\\', '_').replace(/^([A-Za-z]):/, '$1_');
}
