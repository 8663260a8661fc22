import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tarball } from './tar';

it('is unpacked by tar as it was packed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tar-'));
  try {
    const long = 'x'.repeat(1000);
    writeFileSync(join(folder, 'a.tar.gz'), tarball({ 'run.sh': '#!/bin/sh\necho hi\n', long }));
    execFileSync('tar', ['-xf', 'a.tar.gz'], { cwd: folder });
    expect(readFileSync(join(folder, 'run.sh'), 'utf8')).toBe('#!/bin/sh\necho hi\n');
    expect(readFileSync(join(folder, 'long'), 'utf8')).toBe(long);
    expect(statSync(join(folder, 'run.sh')).mode & 0o777).toBe(0o755);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
