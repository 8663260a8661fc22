/**
 * The command that runs a text given on its input, handed to the login shell as it is. So the text may be long, appears
 * in no process list, and means the same under every login shell.
 */
export const RUN_INPUT = 'exec /bin/sh';

/** Lines the platform's texts answer with begin so. */
export const MARK = '::';
const BEGIN = `${MARK}go`;

/**
 * Makes a text for `RUN_INPUT`: one function called at the very end, so that a text cut off on its way does nothing.
 * What its commands complain about is part of the answer.
 */
export function hostScript(body: string): string {
  return `job_main() {\n${body}\n}\necho ${BEGIN}\njob_main 2>&1 </dev/null\n`;
}

/** The words of each answer line: `::claimed 17` is `['claimed', '17']`. Whatever else a login prints is none. */
export function answers(stdout: string): string[][] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith(MARK))
    .map((line) => line.slice(MARK.length).trim().split(' '));
}

/** Text that defines `fail TEXT`: says so and ends. What a command complained about before is added when it is read. */
export const FAIL = `fail() { echo "::fail $*"; exit 9; }`;

/** Why a text that ends with `echo ::DONE` did not come to its end, in words; undefined when it did. */
export function failureOf(stdout: string, done: string): string | undefined {
  const said = answers(stdout);
  const failed = said
    .find(([word]) => word === 'fail')
    ?.slice(1)
    .join(' ');
  if (!failed && said.some(([word]) => word === done)) return undefined;
  const own = stdout.slice(Math.max(0, stdout.lastIndexOf(`${BEGIN}\n`)));
  const complaints = own.split('\n').filter((line) => line && !line.startsWith(MARK));
  const detail = complaints.join('; ').slice(0, 1000);
  return [failed ?? 'the host broke off', detail].filter(Boolean).join(': ');
}
