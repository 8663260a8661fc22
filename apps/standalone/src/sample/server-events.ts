/** One event of a `text/event-stream`. */
export interface ServerEvent {
  id?: string;
  event: string;
  data: string;
}

/** Reads a `text/event-stream`; comments (the server's heart-beat) are dropped. */
export async function* serverEvents(
  stream: AsyncIterable<Buffer | string>,
): AsyncGenerator<ServerEvent> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of stream) {
    rest += typeof part === 'string' ? part : decoder.decode(part, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event = parse(block);
      if (event) yield event;
    }
  }
}

function parse(block: string): ServerEvent | undefined {
  const fields: Record<string, string[]> = {};
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (name) (fields[name] ??= []).push(value ?? '');
  }
  if (!fields.data) return undefined;
  return {
    id: fields.id?.at(-1),
    event: fields.event?.at(-1) ?? 'message',
    data: fields.data.join('\n'),
  };
}
