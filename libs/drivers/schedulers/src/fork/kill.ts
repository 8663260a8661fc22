import { CONTROL, controlDir, type LaunchPlan } from '@libs/job-runtimes';
import { quote } from '@libs/hosts';
import { platform } from '@libs/platform-name';
import { ALIVE } from './claim';

/**
 * Text that ends every process of a job: those of the launch script's session, and those that carry the job's uuid in
 * their environment, wherever they went. A claim is left, so that a launch still on its way starts nothing.
 */
export function killText(plan: LaunchPlan): string {
  const control = quote(`${plan.execDir}/${controlDir(plan.uuid)}`);
  const mark = quote(`${platform().jobVariable('JobUUID')}=${plan.uuid}`);
  return `${ALIVE}
pid=
if cd ${control} 2>/dev/null; then
  set -C
  { echo "0 - - -" >${CONTROL.claim}; } 2>/dev/null
  set +C
  read -r pid start boot host <${CONTROL.claim}
fi
for round in 1 2 3 4 5; do
  pids=$(grep -lFa ${mark} /proc/[0-9]*/environ 2>/dev/null </dev/null | cut -d / -f 3)
  if [ "\${pid:-0}" != 0 ] && alive $pid $start $boot $host; then
    pids="$pids $pid $(ps -s "$pid" -o pid= 2>/dev/null </dev/null)"
    [ -d /proc/self ] || kill -9 -- "-$pid" 2>/dev/null
  fi
  case $pids in *[0-9]*) kill -9 $pids 2>/dev/null ;; *) break ;; esac
done`;
}
