import {
  CONTROL,
  containerWasMade,
  controlDir,
  CID_FILE,
  type DetachedRuntime,
  type LaunchPlan,
  own,
} from '@libs/job-runtimes';
import { quote } from '@libs/hosts';
import { platform } from '@libs/platform-name';
import { answers, failureOf, hostScript } from '../host-script';
import type { AskedJob, JobState, LaunchAnswer, Launcher } from '../launcher';
import { ALIVE, claimOnce } from './claim';
import { readJobLines } from './foreground';
import { killText } from './kill';
import { launchCommand, startDetached } from './launch';
import { clearText, stageText } from './stage';

/** Text that says how the launch of job `$job` with control folder `$dir` stands, if its container is not there. */
const WITHOUT_CONTAINER = `  pid=
  read -r pid start boot host 2>/dev/null <"$dir/${CONTROL.claim}"
  if [ -s "$dir/${CONTROL.refused}" ]; then
    echo "::job $job refused $(tail -c 2000 "$dir/${CONTROL.log}" | tr '\\n' ' ')"
  elif [ -n "$pid" ] && alive $pid $start $boot $host; then
    echo "::job $job launching"
  elif ( cd "$dir/.." 2>/dev/null && { [ -s "$dir/${CONTROL.container}" ] || [ -s ${CID_FILE} ]; } ); then
    echo "::job $job vanished"
  else
    echo "::job $job unknown it was not started"
  fi`;

/** The script that asks the engine once for the container; the container's name keeps it the only one. */
function script(runtime: DetachedRuntime, plan: LaunchPlan): string {
  const folder = controlDir(plan.uuid);
  const control = `${plan.execDir}/${folder}`;
  const code = own('code');
  const found = `found=$(${runtime.find(plan.uuid)} 2>/dev/null </dev/null)`;
  return `#!/bin/sh
# Job ${plan.uuid}. Asks once for its container: a second start finds out what has become of the first.
if [ "$1" != run ]; then
${ALIVE}
job=${plan.uuid} dir=${quote(control)}
cd "$dir" || exit 1
if [ -e ${CONTROL.claim} ]; then
  pid=
  read -r pid start boot host <${CONTROL.claim}
  if [ -n "$pid" ] && alive $pid $start $boot $host; then echo "::job $job launching"; exit 0; fi
  if ${found}; then
    case $found in *' created') ${runtime.resume(plan.uuid)} >/dev/null 2>>${CONTROL.log} </dev/null ;; esac
    echo "::claimed \${found%% *}"
    exit 0
  fi
  if [ -s ${CONTROL.refused} ]; then
    echo "::job $job refused $(tail -c 2000 ${CONTROL.log} | tr '\\n' ' ')"
    exit 0
  fi
  cd .. && { ${containerWasMade().replaceAll(CONTROL.container, `"$dir/${CONTROL.container}"`)}; } && { echo "::job $job vanished"; exit 0; }
  cd "$dir" && rm -f ${CONTROL.claim}
fi
${startDetached(plan, `3>/dev/null >${CONTROL.log}`)}
launcher=$!
for wait in 0.02 0.02 0.05 0.05 0.1 0.1 0.2 0.2 0.5 0.5 1 1 1 1; do
  if ! kill -0 $launcher 2>/dev/null; then
    if ${found}; then echo "::claimed \${found%% *}"; exit 0; fi
    break
  fi
  sleep $wait
done
${WITHOUT_CONTAINER}
exit 0
fi
cd ${quote(plan.execDir)} || exit 1
${claimOnce(folder)}
echo "$$" >${platform().jobFile.pid}
rm -f ${CID_FILE}
${runtime.run(plan)} >${folder}/${CONTROL.container}
${code}=$?
[ "$${code}" = 0 ] || echo "$${code}" >${folder}/${CONTROL.refused}
`;
}

function readLaunch(stdout: string): LaunchAnswer {
  for (const [word, id, kind, ...rest] of answers(stdout)) {
    if (word === 'claimed' && id) return { kind: 'launched', id };
    if (word === 'missing') return { kind: 'missing' };
    if (word !== 'job') continue;
    if (kind === 'launching' || kind === 'vanished') return { kind };
    return { kind: 'refused', text: rest.join(' ').trim() };
  }
  return { kind: 'refused', text: 'the host did not answer to the launch' };
}

function ask(runtime: DetachedRuntime, jobs: readonly AskedJob[]): string {
  const lines = jobs.map(({ uuid, execDir }) => `ask ${quote(uuid, execDir)}`);
  return `${ALIVE}
if states=$(${runtime.states}); then
  printf '%s\\n' "$states" | sed 's/^/::container /'
  ask() {
  case $states in *"$1"*) return ;; esac
  job=$1 dir=$2/${controlDir('$1')}
${WITHOUT_CONTAINER}
  }
${lines.join('\n')}
else
  echo ::silent
fi`;
}

function read(
  runtime: DetachedRuntime,
  stdout: string,
  jobs: readonly AskedJob[],
): Map<string, JobState> {
  const said = answers(stdout);
  const of = (head: string) => said.filter(([word]) => word === head).map((w) => w.slice(1));
  const lines = of('container').map((words) => words.join(' '));
  const containers = runtime.readStates(lines);
  const found = readJobLines(stdout);
  for (const [, uuid = '', kind, ...rest] of said.filter(([word]) => word === 'job')) {
    if (kind === 'launching') found.set(uuid, { kind });
    if (kind === 'refused') found.set(uuid, { kind, text: rest.join(' ').trim() });
  }
  for (const { uuid } of jobs) {
    const container = containers.get(uuid);
    if (container) found.set(uuid, stateOf(container));
  }
  return found;
}

function stateOf({
  state,
  code = 0,
  at,
}: ReturnType<DetachedRuntime['readStates']> extends Map<string, infer S> ? S : never): JobState {
  if (state === 'active') return { kind: 'active' };
  if (state === 'made') return { kind: 'launching' };
  return { kind: 'ended', code, ...(at && !Number.isNaN(at.getTime()) && { at }) };
}

/** FORK of a runtime whose app belongs to an engine. */
export function forkDetached(runtime: DetachedRuntime): Launcher {
  const texts = (plan: LaunchPlan) => [script(runtime, plan), runtime.envFile(plan)] as const;
  const remove = (plan: LaunchPlan) => `${runtime.remove(plan.uuid)} >/dev/null 2>&1 </dev/null`;
  return {
    key: `FORK ${runtime.name}`,
    fetches: (image) => runtime.fetches(image),
    vanishedCode: undefined,
    check: (plan) => runtime.check(plan),
    script: (plan) => script(runtime, plan),
    envFile: (plan) => runtime.envFile(plan),
    stage: (plan) => stageText(runtime, plan, ...texts(plan)),
    stageProblem: (stdout) => failureOf(stdout, 'staged'),
    launch: launchCommand,
    readLaunch,
    ask: (jobs) => ask(runtime, jobs),
    read: (stdout, jobs) => read(runtime, stdout, jobs),
    get tells() {
      return runtime.ends;
    },
    kill: (plan) => hostScript(`${killText(plan)}\n${remove(plan)}\necho ::killed`),
    clear: (plan) => `${remove(plan)}\n${clearText(runtime, plan)}`,
  };
}
