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
mask=$(umask)
umask 007
{ printf %s "$variables" >${names.env} && printf %s "$script" >${names.script} && chmod 770 ${names.script}; } ||
  fail "can't write the launch files"
umask 077
{ { [ -d ${control} ] || mkdir -p ${control}; } && printf %s "$variables" >${control}/${names.env} &&
  printf %s "$script" >${control}/${names.script}.new &&
  mv -f ${control}/${names.script}.new ${control}/${names.script}; } || fail "can't write the launch files"
umask "$mask"
${runtime.prepare(plan)}
echo ::staged`);
}

/** Text that removes what the launch kept. */
export function clearText(runtime: Runtime, plan: LaunchPlan): string {
  const control = `${plan.execDir}/${controlDir(plan.uuid)}`;
  return `rm -rf -- ${quote(control, ...runtime.leftovers(plan))}`;
}
