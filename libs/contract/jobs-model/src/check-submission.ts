import { hasControlCharacter } from '@libs/macros';
import { wantsDtn } from './job-directories';
import { checkName } from './job-texts';
import type { JobViolations } from './job-violations';
import { checkExecSystem } from './choose-place';
import type { Submission } from './submission';

/** Whether app and systems may be used at all. */
export function checkAvailable(
  { request, app, execSystem, archiveSystem, dtnSystem }: Submission,
  v: JobViolations,
) {
  v.check(app.enabled, 'JOBS_APP_NOT_AVAILABLE', `app "${app.id}" is disabled`);
  v.check(
    app.versionEnabled,
    'JOBS_APP_NOT_AVAILABLE',
    `version ${app.version} of app "${app.id}" is disabled`,
  );
  const both = [request, app.jobAttributes ?? {}];
  const dynamic = both.some((a) => a.dynamicExecSystem || a.execSystemConstraints?.length);
  v.check(
    !dynamic,
    'JOBS_DYNAMIC_NOT_SUPPORTED',
    'dynamicExecSystem and execSystemConstraints are not supported',
  );
  checkExecSystem(execSystem, v);
  if (archiveSystem) {
    const called = `archive system "${archiveSystem.id}"`;
    v.check(archiveSystem.enabled, 'JOBS_SYSTEM_NOT_AVAILABLE', `${called} is disabled`);
  }
  if (
    wantsDtn(request, app) &&
    !execSystem.dtnSystemId &&
    wantsDtn(request, { ...app, jobAttributes: null })
  ) {
    const text = `execution system "${execSystem.id}" has no data transfer node`;
    v.add('JOBS_INVALID_DTN_SYSTEM_ASSIGNMENT', text);
  }
  if (!dtnSystem || !wantsDtn(request, app)) return;
  const called = `data transfer node "${dtnSystem.id}"`;
  v.check(dtnSystem.enabled, 'JOBS_SYSTEM_NOT_AVAILABLE', `${called} is disabled`);
  v.check(
    (dtnSystem.rootDir || '/') === (execSystem.rootDir || '/'),
    'JOBS_INVALID_DTN_ROOTDIR',
    `${called} has another rootDir than execution system "${execSystem.id}"`,
  );
  v.check(
    dtnSystem.id !== execSystem.id,
    'JOBS_INVALID_DTN_SYSTEM_ASSIGNMENT',
    `${called} is the execution system itself`,
  );
}

/** Names that reach commands and scripts as they are. */
export function checkNames(
  { owner, tenant, app, execSystem, archiveSystem, request }: Submission,
  mpiCmd: string | null,
  v: JobViolations,
) {
  const names = {
    owner,
    tenant,
    appId: app.id,
    appVersion: app.version,
    execSystemId: execSystem.id,
    mpiCmd,
  };
  for (const [field, name] of Object.entries(names)) checkName(field, name, v);
  const prefix = request.cmdPrefix ?? app.jobAttributes?.cmdPrefix ?? '';
  v.check(
    !hasControlCharacter(prefix),
    'JOBS_INVALID_CHARACTERS',
    'cmdPrefix holds a control character',
  );
  checkName('archiveSystemId', archiveSystem?.id, v);
  checkName('execSystemLogicalQueue', request.execSystemLogicalQueue, v);
}
