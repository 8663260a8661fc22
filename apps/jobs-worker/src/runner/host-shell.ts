import { CommandFailed, HostTimeout, HostUnreachable, type Host } from '@libs/hosts';
import type { RemoteCommand } from '@libs/hosts';
import { RUN_INPUT } from '@libs/schedulers';

export interface RunOptions {
  timeoutMs: number;
  maxOutput: number;
}

/**
 * One shell on a host that stays open and runs text after text, each in a subshell of its own: a login's start and an
 * SSH channel for every text would cost several times as much as most texts do.
 */
export class HostShell {
  private count = 0;
  private received = '';
  private waiting?: (line?: string) => void;
  open = true;
  busy = false;
  usedAt = Date.now();

  private constructor(
    private readonly host: Host,
    private readonly command: RemoteCommand,
  ) {
    command.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.received += text;
      this.waiting?.();
    });
    command.done
      .catch(() => undefined)
      .finally(() => {
        this.open = false;
        this.waiting?.();
      });
  }

  static async start(host: Host): Promise<HostShell> {
    return new HostShell(host, await host.stream(RUN_INPUT, { raw: true }));
  }

  /** What the text printed. A shell that was interrupted in one text takes no other. */
  async run(text: string, { timeoutMs, maxOutput }: RunOptions): Promise<string> {
    const over = `::over ${++this.count} `;
    this.usedAt = Date.now();
    this.received = '';
    // Parentheses: a text cut off on its way does nothing, and what it changes ends with it.
    this.command.stdin.write(`(\n${text}\n)\necho "${over}$?"\n`);
    try {
      return await this.until(over, timeoutMs, maxOutput);
    } catch (error) {
      this.open = false;
      this.command.kill();
      throw error;
    } finally {
      this.waiting = undefined;
      this.usedAt = Date.now();
    }
  }

  close(): void {
    this.open = false;
    this.command.stdin.end();
  }

  private until(over: string, timeoutMs: number, maxOutput: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        clearTimeout(timer);
        reject(error);
      };
      const timer = setTimeout(
        () => fail(new HostTimeout(this.host, `the command did not end within ${timeoutMs} ms`)),
        timeoutMs,
      );
      this.waiting = () => {
        const at = this.received.lastIndexOf(over);
        if (at >= 0 && this.received.indexOf('\n', at) >= 0) {
          clearTimeout(timer);
          resolve(this.received.slice(0, at));
        } else if (!this.open) {
          fail(new HostUnreachable(this.host, 'the connection was lost during a command'));
        } else if (this.received.length > maxOutput) {
          const text = `the command wrote more than ${maxOutput} characters`;
          fail(new CommandFailed(this.host, text));
        }
      };
      this.waiting();
    });
  }
}
