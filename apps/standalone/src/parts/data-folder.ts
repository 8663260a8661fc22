import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from '../problem';
import { isRunning } from './running';

/** The folder with everything one installation keeps; at most one launcher works in it at a time. */
export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
    // not 0700: as root the database runs as another user and has to pass through
    mkdirSync(this.path, { recursive: true, mode: 0o711 });
  }

  at(...names: string[]): string {
    return join(this.path, ...names);
  }

  folder(...names: string[]): string {
    const path = this.at(...names);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Refuses a second launcher in the same folder; what a killed one left behind does not count. */
  claim(): void {
    const file = this.at('launcher.pid');
    if (existsSync(file)) {
      const pid = Number(readFileSync(file, 'utf8'));
      if (pid !== process.pid && isRunning(pid, 'standalone'))
        throw new Problem(
          `${this.path} is in use by process ${pid}: stop it, or set DATA_DIR to another folder.`,
        );
    }
    writeFileSync(file, String(process.pid));
  }

  release(): void {
    rmSync(this.at('launcher.pid'), { force: true });
  }
}
