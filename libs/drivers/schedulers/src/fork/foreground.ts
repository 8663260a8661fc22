import {
  CONTROL,
  controlDir,
  type ForegroundRuntime,
  type LaunchPlan,
  own,
} from '@libs/job-runtimes';
import { quote } from '@libs/hosts';
import { platform } from '@libs/platform-name';
import { answers, failureOf, hostScript } from '../host-script';
import type { AskedJob, JobState, LaunchAnswer, Launcher } from '../launcher';
import { tellEnd } from '../signal-channel';
import { ALIVE, claimOnce, patternOf } from './claim';
import { launchCommand, startDetached } from './launch';
import { killText } from './kill';
import { clearText, stageText } from './stage';

/** The script that starts itself once in the background, runs the app to its end and tells how it ended. */
function script(runtime: ForegroundRuntime, plan: LaunchPlan): string {
  const control = controlDir(plan.uuid);
  const { pid, exitcode } = platform().jobFile;
  const out = quote(`${plan.outputDir}/${plan.stdoutFile}`);
  const err =
    plan.stderrFile === plan.stdoutFile ? '&1' : quote(`${plan.outputDir}/${plan.stderrFile}`);
  const exit = quote(`${plan.outputDir}/${exitcode}`);
  const [code, said] = [own('code'), own('said')];
  return `#!/bin/sh
# Job ${plan.uuid}. Starts its app once, in the background: a second start finds the claim of the first and reports it.
if [ "$1" != run ]; then
cd ${quote(`${plan.execDir}/${control}`)} || exit 1
if [ -e ${CONTROL.claim} ] && [ ! -s ${CONTROL.claim} ]; then
  # Cut off between making the claim and signing it: then nothing has run, and nothing runs now.
  sleep 1
  if [ ! -s ${CONTROL.claim} ] && ! { ps -Ao args 2>/dev/null || ps -o args; } | grep -q ${quote(patternOf(plan.uuid))}; then
    rm -f ${CONTROL.claim}
  fi
fi
if [ -s ${CONTROL.claim} ]; then
  read -r pid rest <${CONTROL.claim}
  echo "::claimed $pid"
  exit 0
fi
${startDetached(plan, `3>&1 >${CONTROL.log}`)}
exit 0
fi
cd ${quote(plan.execDir)} || exit 1
${claimOnce(control)}
echo "$$" >${pid}
echo "::claimed $$" >&3
exec 3>&-
trap - PIPE
[ ! -e ${exit} ] || rm -f ${exit}
(
${runtime.run(plan)}
) </dev/null >${out} 2>${err}
${code}=$?
${said}=
[ ! -f ${exit} ] || read -r ${said} <${exit}
case \${${said}#-} in
  '' | *[!0-9]*) [ -s ${exit} ] || echo "$${code}" >${exit} ;;
  *) ${code}=$${said} ;;
esac
echo "$${code}" >${control}/${CONTROL.end}
${tellEnd(plan.uuid, `$${code}`, own)}
`;
}

function readLaunch(stdout: string): LaunchAnswer {
  for (const [word, id] of answers(stdout)) {
    if (word === 'claimed' && id) return { kind: 'launched', id };
    if (word === 'missing') return { kind: 'missing' };
  }
  return {
    kind: 'refused',
    text: 'the launch script ended before it could start the app; is the disk full?',
  };
}

function ask(jobs: readonly AskedJob[]): string {
  const { lower, jobFile } = platform();
  const lines = jobs.map((j) => `ask ${quote(j.uuid, j.execDir, j.outputDir)}`);
  return `${ALIVE}
ended() {
  # When, says the file's own time.
  echo "::job $job ended $code $(date -r "$dir/${CONTROL.end}" +%s%3N 2>/dev/null)"
}
ask() {
  job=$1 dir=$2/.${lower}job-$1 out=$3 code= pid= said=
  if [ ! -d "$dir" ]; then echo "::job $job unknown its directory is not there"; return; fi
  read -r code 2>/dev/null <"$dir/${CONTROL.end}"
  if [ -n "$code" ]; then ended; return; fi
  read -r pid start boot host 2>/dev/null <"$dir/${CONTROL.claim}"
  if [ -z "$pid" ]; then echo "::job $job unknown it was not started"; return; fi
  alive $pid $start $boot $host
  case $? in
    0) echo "::job $job active"; return ;;
    2) echo "::job $job unknown it runs on $host"; return ;;
  esac
  read -r code 2>/dev/null <"$dir/${CONTROL.end}"
  if [ -n "$code" ]; then ended; return; fi
  read -r said 2>/dev/null <"$out/${jobFile.exitcode}"
  echo "::job $job vanished $said"
}
${lines.join('\n')}`;
}

export function readJobLines(stdout: string): Map<string, JobState> {
  const found = new Map<string, JobState>();
  for (const [word, uuid = '', kind, ...rest] of answers(stdout)) {
    if (word !== 'job') continue;
    if (kind === 'active') found.set(uuid, { kind });
    else if (kind === 'ended') found.set(uuid, ended(rest[0], rest[1]));
    else if (kind === 'vanished') found.set(uuid, { kind, ...codeOf(rest[0]) });
    else found.set(uuid, { kind: 'unknown', why: rest.join(' ') });
  }
  return found;
}

const codeOf = (text = '') => (/^-?\d+$/.test(text) ? { code: Number(text) } : {});

/** An end as it is told: exit code and, where it is known, time in milliseconds or nanoseconds. */
export function ended(code = '', time = ''): JobState & { kind: 'ended' } {
  const ms = Number(time.length > 16 ? time.slice(0, -6) : time);
  return { kind: 'ended', code: Number(code) || 0, ...(ms > 0 && { at: new Date(ms) }) };
}

/** FORK of a runtime whose app is a process of the launch script. */
export function forkForeground(runtime: ForegroundRuntime): Launcher {
  const texts = (plan: LaunchPlan) => [script(runtime, plan), runtime.envFile(plan)] as const;
  return {
    key: `FORK ${runtime.name}`,
    fetches: (image) => runtime.fetches(image),
    // Ruled so: a launch script that was cut off counts as code 0, for the program may have done all it had to.
    vanishedCode: 0,
    check: (plan) => runtime.check(plan),
    script: (plan) => script(runtime, plan),
    envFile: (plan) => runtime.envFile(plan),
    stage: (plan) => stageText(runtime, plan, ...texts(plan)),
    stageProblem: (stdout) => failureOf(stdout, 'staged'),
    launch: launchCommand,
    readLaunch,
    ask,
    read: readJobLines,
    kill: (plan) => hostScript(`${killText(plan)}\necho ::killed`),
    clear: (plan) => clearText(runtime, plan),
  };
}
