import { CONTROL, controlDir, type LaunchPlan, type Runtime } from '@libs/job-runtimes';
import { quote } from '@libs/hosts';
import { platform } from '@libs/platform-name';
import { FAIL, hostScript } from '../host-script';

/**
 * Text that writes the launch files and prepares the app. The launch uses the private copies: those in the execution
 * directory are for people and the archive, and another job may overwrite them.
 */
export function stageText(
  runtime: Runtime,
  plan: LaunchPlan,
  script: string,
  envFile: string,
): string {
  const names = platform().jobFile;
  const control = controlDir(plan.uuid);
  return hostScript(`${FAIL}
cd ${quote(plan.execDir)} || fail "can't enter the execution directory"
[ ! -s ${control}/${CONTROL.claim} ] || { echo ::staged; return; }
variables=${quote(envFile)}
script=${quote(script)}
problem=$( {
  umask 007
  printf %s "$variables" >${names.env} && printf %s "$script" >${names.script} && chmod 770 ${names.script} &&
  umask 077 && mkdir -p ${control} && cd ${control} &&
  printf %s "$variables" >${names.env} && printf %s "$script" >${names.script}.new &&
  mv -f ${names.script}.new ${names.script}
} 2>&1 </dev/null) || fail "can't write the launch files: $problem"
${runtime.prepare(plan)}
echo ::staged`);
}

/** Text that removes what the launch kept. */
export function clearText(runtime: Runtime, plan: LaunchPlan): string {
  const control = `${plan.execDir}/${controlDir(plan.uuid)}`;
  return `rm -rf -- ${quote(control, ...runtime.leftovers(plan))}`;
}
