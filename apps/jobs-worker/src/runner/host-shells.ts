import { type HostLogin, HostPool } from '@libs/hosts';
import { RUN_INPUT } from '@libs/schedulers';
import { createHash } from 'node:crypto';
import { HostShell, type RunOptions } from './host-shell';

/** Shells kept open for one login. */
const SHELLS = 5;
const IDLE_MS = 30_000;
/** A shell is likely to be free by then; a login's start costs more. */
const WAIT_MS = 200;

/** A command that has not ended by then may be waiting for a session that our shells take. */
const PATIENCE_MS = 500;
/** A host with few sessions gets no shells for so long. */
const SPARSE_MS = 10 * 60_000;

interface Login {
  shells: HostShell[];
  starting: number;
  noneUntil: number;
  /** Who waits for a shell to become free. */
  waiting: ((shell: HostShell) => void)[];
}

/** Runs texts on hosts: in an open shell if one is free, else by a command of its own. */
export class HostShells {
  private readonly logins = new Map<string, Login>();
  private readonly sweep = setInterval(() => this.closeIdle(), IDLE_MS / 3).unref();

  constructor(private readonly pool: HostPool) {}

  async run(login: HostLogin, text: string, options: RunOptions): Promise<string> {
    const at = this.at(login);
    const shell = await this.free(login, at);
    if (!shell) return this.exec(login, RUN_INPUT, { ...options, input: text, raw: true });
    try {
      return await shell.run(text, options);
    } finally {
      handOn(shell, at);
    }
  }

  /** A command in a channel of its own. Where sessions are few, the shells give way to it. */
  async exec(
    login: HostLogin,
    command: string,
    options: RunOptions & { input?: string; raw?: boolean },
  ): Promise<string> {
    const timer = setTimeout(() => this.giveWay(login), PATIENCE_MS);
    try {
      return (await this.pool.host(login).exec(command, options)).stdout;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    clearInterval(this.sweep);
    for (const { shells } of this.logins.values()) for (const shell of shells) shell.close();
    this.logins.clear();
  }

  private giveWay(login: HostLogin): void {
    const at = this.logins.get(keyOf(login));
    if (!at || !this.pool.stats().queued) return;
    at.noneUntil = Date.now() + SPARSE_MS;
    for (const shell of at.shells) if (!shell.busy) shell.close();
  }

  private at(login: HostLogin): Login {
    const key = keyOf(login);
    let at = this.logins.get(key);
    if (!at) this.logins.set(key, (at = { shells: [], starting: 0, noneUntil: 0, waiting: [] }));
    return at;
  }

  private async free(login: HostLogin, at: Login): Promise<HostShell | undefined> {
    at.shells = at.shells.filter(({ open }) => open);
    if (at.noneUntil > Date.now()) return undefined;
    const idle = at.shells.find(({ busy }) => !busy);
    if (idle) {
      idle.busy = true;
      return idle;
    }
    if (at.shells.length + at.starting >= SHELLS) return soonFree(at);
    at.starting++;
    const timer = setTimeout(() => this.giveWay(login), PATIENCE_MS);
    try {
      const shell = await HostShell.start(this.pool.host(login));
      shell.busy = true;
      at.shells.push(shell);
      return shell;
    } finally {
      clearTimeout(timer);
      at.starting--;
    }
  }

  private closeIdle(): void {
    for (const [key, at] of this.logins) {
      for (const shell of at.shells)
        if (!shell.busy && (Date.now() - shell.usedAt > IDLE_MS || at.noneUntil > Date.now()))
          shell.close();
      at.shells = at.shells.filter(({ open }) => open);
      if (!at.shells.length && !at.starting && at.noneUntil < Date.now()) this.logins.delete(key);
    }
  }
}

function handOn(shell: HostShell, { waiting }: Login): void {
  const next = shell.open ? waiting.shift() : undefined;
  if (next) next(shell);
  else shell.busy = false;
}

/** The next shell that somebody is done with; undefined when all are busy for longer. */
function soonFree({ waiting }: Login): Promise<HostShell | undefined> {
  return new Promise((resolve) => {
    const got = (shell: HostShell) => {
      clearTimeout(timer);
      resolve(shell);
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(got), 1);
      resolve(undefined);
    }, WAIT_MS);
    waiting.push(got);
  });
}

const keyOf = ({ host, port, user, auth, hostKeys }: HostLogin): string =>
  createHash('sha256')
    .update(JSON.stringify([host, port, user, auth, hostKeys]))
    .digest('base64');
