import { readFile, rm, writeFile } from 'node:fs/promises';
import { isAlive, startOf } from './processes';

/**
 * One process at a time owns a folder. A lock whose process is gone (killed, or its number taken by another program)
 * does not count. Answers the function that gives the folder back.
 */
export async function lockFolder(file: string, what: string): Promise<() => Promise<void>> {
  const mine = `${process.pid} ${startOf(process.pid)}\n`;
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      await writeFile(file, mine, { flag: 'wx' });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const [pid, started] = (await readFile(file, 'utf8').catch(() => '')).trim().split(' ');
    const alive =
      Number(pid) > 0 && isAlive(Number(pid)) && startOf(Number(pid)) === (started ?? '');
    if (alive) throw new Error(`${what} is in use by process ${pid}`);
    await rm(file, { force: true });
  }
  throw new Error(`${what}: could not take the lock ${file}`);
}
