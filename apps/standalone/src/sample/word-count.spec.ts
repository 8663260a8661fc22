import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from '@libs/platform-name';
import { expectedWords, SAMPLE_TEXT, WORD_COUNT, wordCountArchive } from './word-count';

it('counts on a shell what it counts here', () => {
  const folder = mkdtempSync(join(tmpdir(), 'words-'));
  try {
    const { jobFile, jobVariable } = {
      jobFile: platform().jobFile,
      jobVariable: (n: string) => platform().jobVariable(n),
    };
    writeFileSync(join(folder, WORD_COUNT.archive), wordCountArchive());
    writeFileSync(join(folder, WORD_COUNT.inputFile), SAMPLE_TEXT);
    execFileSync('tar', ['-xf', WORD_COUNT.archive], { cwd: folder });
    const printed = execFileSync(join(folder, jobFile.zipApp), {
      encoding: 'utf8',
      env: {
        PATH: '/usr/bin:/bin',
        [jobVariable('JobUUID')]: 'the-job',
        [jobVariable('ExecSystemInputDir')]: folder,
        [jobVariable('ExecSystemOutputDir')]: folder,
      },
    });
    expect(printed).toContain('for job the-job');
    const result = readFileSync(join(folder, WORD_COUNT.result), 'utf8');
    expect(result).toBe(expectedWords(SAMPLE_TEXT));
    expect(result).toMatch(/^\d+ the\n/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
