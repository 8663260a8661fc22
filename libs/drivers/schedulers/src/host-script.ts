/**
 * The command that runs a text given on its input. So the text may be long, appears in no process list, and means
 * the same under every login shell.
 */
export const RUN_INPUT = 'eval "$(cat)"';

/** Makes a text for `RUN_INPUT`: one function called at the very end, so that a text cut off on its way does nothing. */
export function hostScript(body: string): string {
  return `job_main() {\n${body}\n}\njob_main\n`;
}

/** Lines the platform's texts answer with begin so; whatever else a login prints is no answer. */
export const MARK = '::';

/** The words of each answer line: `::claimed 17` is `['claimed', '17']`. */
export function answers(stdout: string): string[][] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith(MARK))
    .map((line) => line.slice(MARK.length).trim().split(' '));
}

/** Text that defines `fail TEXT`: says why and ends. */
export const FAIL = `fail() { printf '::fail %s\\n' "$(printf %s "$*" | tr '\\n' ' ')"; exit 9; }`;
