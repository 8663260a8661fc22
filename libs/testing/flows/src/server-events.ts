/** One event of a `text/event-stream`. */
export interface ServerEvent {
  id?: string;
  event: string;
  data: string;
}

/** Reads a `text/event-stream` as the standard says; comments are dropped. */
export async function* serverEvents(stream: AsyncIterable<Buffer>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of stream) {
    const blocks = (rest + decoder.decode(part, { stream: true })).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const read: Record<string, string[]> = {};
      for (const line of block.split(/\r?\n/)) {
        const [, name, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
        if (name) (read[name] ??= []).push(value);
      }
      if (!read.data) continue;
      yield {
        id: read.id?.at(-1),
        event: read.event?.at(-1) ?? 'message',
        data: read.data.join('\n'),
      };
    }
  }
}
