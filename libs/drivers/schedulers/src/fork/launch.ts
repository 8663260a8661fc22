import { controlDir, type LaunchPlan } from '@libs/job-runtimes';
import { quote } from '@libs/hosts';
import { platform } from '@libs/platform-name';

const scriptOf = (plan: LaunchPlan): string =>
  quote(`${plan.execDir}/${controlDir(plan.uuid)}/${platform().jobFile.script}`);

/** The command that launches, in one line; its output stays open until the script has its claim. */
export function launchCommand(plan: LaunchPlan): string {
  const script = scriptOf(plan);
  return `if [ -f ${script} ]; then exec /bin/sh ${script}; fi; echo ::missing`;
}

/** Text with which the script starts itself once more, as a session of its own that outlives the connection. */
export function startDetached(plan: LaunchPlan, output: string): string {
  const mark = `${platform().jobVariable('JobUUID')}=${plan.uuid}`;
  return `command -v setsid >/dev/null || setsid() { "$@"; }
${mark} setsid /bin/sh ${scriptOf(plan)} run ${output} 2>&1 </dev/null &`;
}
