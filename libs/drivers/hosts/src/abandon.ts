import type { ClientChannel } from 'ssh2';

/** Ends a command whose result nobody wants any more. Killing is a request: a host may ignore it for a root login. */
export function abandon(channel: ClientChannel): void {
  const inner = channel as unknown as {
    outgoing: { id: number; state: string };
    _client: { _protocol: { signal(id: number, name: string): void } };
  };
  const { id, state } = inner.outgoing;
  // Once we have closed it the server no longer knows the channel, and ends the whole connection over it.
  if (state === 'open' || state === 'eof') {
    try {
      // `channel.signal()` does nothing once the input has ended, which is when it is needed.
      inner._client._protocol.signal(id, 'KILL');
    } catch {
      // the connection is gone, and the channel with it
    }
    channel.close();
  }
  // `close` comes only after what was received has been read, and whoever read it may have gone.
  for (const stream of [channel, channel.stderr]) stream.removeAllListeners('readable').resume();
  // A host that never confirms must not hold the session for ever.
  setTimeout(() => channel.emit('close'), 5_000).unref();
}
