import { platform } from '@libs/platform-name';
import { tarball } from './tar';

/** The sample application: counts the words of a text, the most frequent first. */
export const WORD_COUNT = {
  id: 'wordcount',
  version: '1.0',
  archive: 'wordcount.tar.gz',
  inputName: 'text',
  inputFile: 'text.txt',
  result: 'words.txt',
} as const;

export const SAMPLE_TEXT = `The sea is calm tonight. The tide is full, the moon lies fair upon the straits.
Listen! You hear the grating roar of pebbles which the waves draw back, and fling,
at their return, up the high strand, begin, and cease, and then again begin.
`;

/** What a correct run writes; counted here by other means than on the host. */
export function expectedWords(text: string): string {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? [])
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([word, count]) => `${count} ${word}\n`)
    .join('');
}

/** The program as a tenant would pack it: an archive whose executable has the name the runtime looks for. */
export function wordCountArchive(): Buffer {
  const names = platform();
  const script = `#!/bin/sh
set -eu
export LC_ALL=C
echo "counting on $(uname -sm) for job $${names.jobVariable('JobUUID')}"
tr 'A-Z' 'a-z' < "$${names.jobVariable('ExecSystemInputDir')}/${WORD_COUNT.inputFile}" | tr -cs 'a-z' '\\n' | grep . |
  sort | uniq -c | sort -k1,1nr -k2,2 | sed 's/^ *//' > "$${names.jobVariable('ExecSystemOutputDir')}/${WORD_COUNT.result}"
`;
  return tarball({ [names.jobFile.zipApp]: script });
}
