import { placesOf } from './choose-place';
import { isOfApp } from './job-directories';
import { firstText } from './merge-text';
import type { Submission } from './submission';

/** Which of the job's systems and directories come from a shared app unchanged. */
export function sharedAttributes({ request, app, archiveSystem, dtnSystem }: Submission): string[] {
  const { ofApp } = placesOf(request, app);
  const dir = (field: Parameters<typeof isOfApp>[0]) => isOfApp(field, request, app);
  const own = (field: Parameters<typeof isOfApp>[0]) => !firstText(request[field]);
  const shared: [string, boolean][] = [
    ['SAC_EXEC_SYSTEM_ID', ofApp.exec],
    ['SAC_EXEC_SYSTEM_EXEC_DIR', ofApp.exec && own('execSystemExecDir')],
    ['SAC_EXEC_SYSTEM_INPUT_DIR', ofApp.exec && own('execSystemInputDir')],
    ['SAC_EXEC_SYSTEM_OUTPUT_DIR', ofApp.exec && own('execSystemOutputDir')],
    ['SAC_ARCHIVE_SYSTEM_ID', archiveSystem ? ofApp.archive : ofApp.exec],
    [
      'SAC_ARCHIVE_SYSTEM_DIR',
      (archiveSystem ? ofApp.archive : ofApp.exec) && own('archiveSystemDir'),
    ],
    ['SAC_DTN_SYSTEM_ID', Boolean(dtnSystem) && ofApp.exec],
    ['SAC_DTN_SYSTEM_INPUT_DIR', Boolean(dtnSystem) && dir('dtnSystemInputDir')],
    ['SAC_DTN_SYSTEM_OUTPUT_DIR', Boolean(dtnSystem) && dir('dtnSystemOutputDir')],
  ];
  return shared.filter(([, is]) => is).map(([name]) => name);
}
