import {
  expandOnce,
  hasControlCharacter,
  isMacroError,
  type MacroValues,
  splitWords,
} from '@libs/macros';
import { platform } from '@libs/platform-name';
import type { EffectiveArg, LogConfig } from './job-definition';
import type { JobRequestBody } from './job-request';
import type { JobViolations } from './job-violations';
import type { AppRecord } from './records';

/** Characters with which a name could reach beyond its place in a launch command. */
const RISKY = /[&><|;`]/;
/** The longest text of a job's name after its macros are replaced. */
const MAX_NAME = 256;

/** Names that end up in commands or scripts hold neither control nor risky characters. */
export function checkName(called: string, name: string | null | undefined, v: JobViolations): void {
  if (name == null) return;
  const clean = !hasControlCharacter(name) && !RISKY.test(name);
  v.check(
    clean,
    'JOBS_INVALID_CHARACTERS',
    `${called} holds a control character or one of & > < | ; \``,
  );
}

/** Substitutes macros and checks that the text splits into words. */
export function finishArgs(
  kind: string,
  args: EffectiveArg[],
  macros: MacroValues,
  v: JobViolations,
): EffectiveArg[] {
  return args.map((given, i) => {
    const called = given.name ? `${kind} "${given.name}"` : `${kind}[${i}]`;
    const arg = expandOnce(given.arg, macros);
    if (given.name != null && hasControlCharacter(given.name)) {
      v.add('JOBS_INVALID_ARG', `name of ${kind}[${i}] holds a control character`);
    }
    if (hasControlCharacter(arg)) v.add('JOBS_INVALID_ARG', `${called} holds a control character`);
    else {
      try {
        splitWords(arg);
      } catch (error) {
        if (!isMacroError(error)) throw error;
        v.add('JOBS_INVALID_ARG', `${called}: ${error.message}`);
      }
    }
    return { ...given, arg };
  });
}

/** ZIP apps take one container argument only, and only they take it. */
export function checkContainerArgs(
  app: AppRecord,
  args: readonly EffectiveArg[],
  v: JobViolations,
): void {
  const { zipSave } = platform();
  for (const { arg } of args) {
    const isSave = arg.trim() === zipSave;
    const allowed = app.runtime === 'ZIP' ? isSave : !isSave;
    v.check(
      allowed,
      'JOBS_CONTAINER_UNSUPPORTED_ARG',
      `containerArgs: ${app.runtime} apps don't take "${arg}"`,
    );
  }
}

/** The profile that the scheduler options name, if one does. */
export function profileNamed(
  options: readonly EffectiveArg[],
  v: JobViolations,
): string | undefined {
  const { profileOption } = platform();
  for (const { arg } of options) {
    const [word, name] = arg.trim().split(/[\s=]+/);
    if (word !== profileOption) continue;
    if (v.check(name, 'JOBS_SCHEDULER_PROFILE_NO_NAME', `${profileOption} names no profile`))
      return name;
  }
  return undefined;
}

/** The request's log configuration, else the app's, else one file for both streams. */
export function chooseLogConfig(
  request: JobRequestBody,
  app: AppRecord,
  v: JobViolations,
): LogConfig {
  const { out } = platform().jobFile;
  const asked = request.parameterSet?.logConfig;
  if (asked) return { stdoutFilename: asked.stdoutFilename, stderrFilename: asked.stderrFilename };
  const { stdoutFilename, stderrFilename } = app.jobAttributes?.parameterSet?.logConfig ?? {};
  if (!stdoutFilename && !stderrFilename) return { stdoutFilename: out, stderrFilename: out };
  v.check(
    stdoutFilename && stderrFilename,
    'JOBS_INCOMPLETE_APP_LOGCONFIG',
    "the app's logConfig names only one of stdoutFilename and stderrFilename",
  );
  return { stdoutFilename: stdoutFilename || out, stderrFilename: stderrFilename || out };
}

/** Substitutes macros in the names of the log files and checks that each is a plain file name. */
export function finishLogConfig(
  config: LogConfig,
  macros: MacroValues,
  v: JobViolations,
): LogConfig {
  const finish = (field: keyof LogConfig) => {
    const name = expandOnce(config[field], macros).trim();
    checkName(field, name, v);
    const plain =
      name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('${');
    v.check(plain, 'JOBS_INVALID_LOG_FILENAME', `${field} "${name}" is not a plain file name`);
    return name;
  };
  return { stdoutFilename: finish('stdoutFilename'), stderrFilename: finish('stderrFilename') };
}

/** The job's name with its ground macros replaced. */
export function finishName(name: string, macros: MacroValues, v: JobViolations): string {
  const text = expandOnce(name, macros);
  checkName('name', text, v);
  v.check(
    text.length <= MAX_NAME,
    'JOBS_INVALID_NAME',
    `name is longer than ${MAX_NAME} characters`,
  );
  return text;
}
