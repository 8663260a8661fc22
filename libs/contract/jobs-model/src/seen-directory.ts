import { platform } from '@libs/platform-name';
import { onHost } from './job-directories';
import type { Submission } from './submission';

/** A directory as an absolute path: on its host or, with `mounts`, as the program sees it inside a container. */
export function seenDirectory(
  macro: string,
  dir: string,
  submission: Submission,
  mounts: boolean,
): string {
  const { app, execSystem, archiveSystem, dtnSystem } = submission;
  const { mount } = platform();
  const mounted: Record<string, string> = {
    ExecSystemExecDir: mount.exec,
    ExecSystemInputDir: mount.input,
    ExecSystemOutputDir: mount.output,
  };
  if (mounts && app.runtime === 'DOCKER' && mounted[macro]) return mounted[macro];
  if (macro === 'ArchiveSystemDir') return onHost(archiveSystem ?? execSystem, dir);
  return onHost(macro.startsWith('Dtn') && dtnSystem ? dtnSystem : execSystem, dir);
}
