import { serverEvents } from './server-events';

async function* chunks(...parts: string[]) {
  yield* parts.map((part) => Buffer.from(part));
}

async function read(...parts: string[]) {
  return Array.fromAsync(serverEvents(chunks(...parts)));
}

it('reads events that arrive in pieces', async () => {
  expect(await read('id: 1\nevent: a\nda', 'ta: {"x":1}\n', '\nid: 2\ndata: y\n\n')).toEqual([
    { id: '1', event: 'a', data: '{"x":1}' },
    { id: '2', event: 'message', data: 'y' },
  ]);
});

it('joins the lines of one event and drops comments', async () => {
  expect(await read(': heart-beat\n\ndata: a\ndata: b\r\n\r\n')).toEqual([
    { id: undefined, event: 'message', data: 'a\nb' },
  ]);
});
