import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DirectorySource, type Directory } from '@libs/auth';

/**
 * The registry as it was read last, kept in a file: a service that starts while the primary site is away begins with
 * that. Once something was read it goes on as its source does; whoever asks holds what he had.
 */
export class KeptDirectory extends DirectorySource {
  private read = false;
  private kept = '';

  constructor(
    private readonly source: DirectorySource,
    private readonly file: string,
  ) {
    super();
  }

  async load(): Promise<Directory> {
    try {
      const directory = await this.source.load();
      await this.keep(directory).catch(() => undefined);
      this.read = true;
      return directory;
    } catch (error) {
      if (this.read || !existsSync(this.file)) throw error;
      const directory = JSON.parse(await readFile(this.file, 'utf8')) as Directory;
      this.read = true;
      return directory;
    }
  }

  /** Beside and renamed, as several services of a site keep the same file. It decides whose keys are believed. */
  private async keep(directory: Directory): Promise<void> {
    const text = JSON.stringify(directory);
    if (text === this.kept) return;
    await mkdir(dirname(this.file), { recursive: true });
    const beside = `${this.file}.${randomUUID()}`;
    await writeFile(beside, text, { mode: 0o600 });
    await rename(beside, this.file);
    this.kept = text;
  }
}
