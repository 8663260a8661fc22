import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A tar.gz with these files, all executable. */
export function pack(files: Record<string, string>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'pack-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content, { mode: 0o755 });
    }
    return execFileSync('tar', ['-czf', '-', '-C', folder, ...Object.keys(files)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
