import { request } from 'undici';

export interface CallOptions {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is text or bytes. */
  body?: unknown;
}

export interface CallAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The parsed answer; undefined when it is not JSON. */
  // Tests look into answers of every shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

/** One HTTP request of a test; unlike fetch it sends the Host header it is told. */
export async function call(url: string, options: CallOptions = {}): Promise<CallAnswer> {
  const { body, method = body === undefined ? 'GET' : 'POST' } = options;
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  const answer = await request(url, {
    method: method as 'GET',
    reset: true,
    headers: {
      ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
  });
  const text = await answer.body.text();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  return { status: answer.statusCode, headers: answer.headers, text, body: parsed };
}
