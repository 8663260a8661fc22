const PLAIN = /^[A-Za-z0-9_@%+:,./][A-Za-z0-9_@%+:,./-]*$/;

/**
 * Words as a POSIX shell must see them to get exactly these words, joined by blanks. The only quoting function of the
 * platform. It does not guard against a word being taken as an option: put `--` or an absolute path before such words.
 */
export function quote(...words: string[]): string {
  return words.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  if (word.includes('\0')) throw new TypeError('a word with a NUL cannot be given to a shell');
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
