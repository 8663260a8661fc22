import { type Host, type HostLogin, HostPool } from '@libs/hosts';
import { RUN_INPUT } from '@libs/schedulers';
import { createHash } from 'node:crypto';
import { HostShell, type RunOptions } from './host-shell';

/** Shells kept open for one login. */
const SHELLS = 5;
const IDLE_MS = 30_000;

/** Runs texts on hosts: in an open shell if one is free, else by a command of its own. */
export class HostShells {
  private readonly logins = new Map<string, { shells: HostShell[]; starting: number }>();
  private readonly sweep = setInterval(() => this.closeIdle(), IDLE_MS / 3).unref();

  constructor(private readonly pool: HostPool) {}

  async run(login: HostLogin, text: string, options: RunOptions): Promise<string> {
    const host = this.pool.host(login);
    const shell = await this.free(keyOf(login), host);
    if (!shell) {
      const { timeoutMs, maxOutput } = options;
      return (await host.exec(RUN_INPUT, { input: text, raw: true, timeoutMs, maxOutput })).stdout;
    }
    try {
      return await shell.run(text, options);
    } finally {
      shell.busy = false;
    }
  }

  close(): void {
    clearInterval(this.sweep);
    for (const { shells } of this.logins.values()) for (const shell of shells) shell.close();
    this.logins.clear();
  }

  private async free(key: string, host: Host): Promise<HostShell | undefined> {
    let login = this.logins.get(key);
    if (!login) this.logins.set(key, (login = { shells: [], starting: 0 }));
    login.shells = login.shells.filter(({ open }) => open);
    const idle = login.shells.find(({ busy }) => !busy);
    if (idle) {
      idle.busy = true;
      return idle;
    }
    if (login.shells.length + login.starting >= SHELLS) return undefined;
    login.starting++;
    try {
      const shell = await HostShell.start(host);
      shell.busy = true;
      login.shells.push(shell);
      return shell;
    } finally {
      login.starting--;
    }
  }

  private closeIdle(): void {
    for (const [key, login] of this.logins) {
      for (const shell of login.shells)
        if (!shell.busy && Date.now() - shell.usedAt > IDLE_MS) shell.close();
      login.shells = login.shells.filter(({ open }) => open);
      if (!login.shells.length && !login.starting) this.logins.delete(key);
    }
  }
}

const keyOf = ({ host, port, user, auth, hostKeys }: HostLogin): string =>
  createHash('sha256')
    .update(JSON.stringify([host, port, user, auth, hostKeys]))
    .digest('base64');
