import { type Host, HostUnreachable, type RemoteCommand } from '@libs/hosts';
import { answers, listen } from '@libs/schedulers';

export interface ChannelEvents {
  /** A job's end, in the words of the line. */
  onEnd(words: string[]): void;
  /** Ends may have been missed. */
  onGap(): void;
  /** The channel is over, for whatever reason. */
  onClosed(): void;
}

/** One held command on a host that prints the ends of this login's jobs as they happen. */
export class Channel {
  private rest = '';
  private closed = false;

  private constructor(
    private readonly command: RemoteCommand,
    private readonly events: ChannelEvents,
    /** False when the login has no place for it and only questions tell. */
    readonly hears: Promise<boolean>,
    private readonly ready: (hears: boolean) => void,
  ) {
    command.stdout.setEncoding('utf8').on('data', (text: string) => this.read(text));
    command.done.catch(() => undefined).finally(() => this.over());
  }

  /** Opens the channel and waits until it hears. */
  static async open(
    host: Host,
    listener: string,
    turn: number,
    tells: readonly string[],
    timeoutMs: number,
    events: ChannelEvents,
  ): Promise<{ channel: Channel; hears: boolean }> {
    const command = await host.stream('exec /bin/sh -s');
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const channel = new Channel(command, events, promise, resolve);
    const fail = (text: string) => () => reject(new HostUnreachable(host, text));
    const timer = setTimeout(fail('the signal channel did not open in time'), timeoutMs);
    command.done.then(fail('the signal channel closed'), reject);
    command.stdin.write(listen(listener, turn, tells));
    try {
      return { channel, hears: await promise };
    } catch (error) {
      channel.kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends it; the host removes what belongs to it. */
  close(): void {
    this.closed = true;
    this.command.stdin.end();
    const timer = setTimeout(() => this.command.kill(), 2_000).unref();
    this.command.done.catch(() => undefined).finally(() => clearTimeout(timer));
  }

  private kill(): void {
    this.closed = true;
    this.command.kill();
  }

  private read(text: string): void {
    const lines = this.rest + text;
    const cut = lines.lastIndexOf('\n') + 1;
    // A line without an end is none of ours.
    this.rest = lines.slice(cut).slice(-4096);
    for (const words of answers(lines.slice(0, cut))) {
      if (words[0] === 'listening') this.ready(true);
      else if (words[0] === 'deaf') this.ready(false);
      else if (words[0] === 'end') this.events.onEnd(words.slice(1));
      else if (words[0] === 'gap') this.events.onGap();
    }
  }

  private over(): void {
    if (this.closed) return;
    this.closed = true;
    this.events.onClosed();
  }
}
