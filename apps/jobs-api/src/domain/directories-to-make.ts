interface Directories {
  execSystemId: string;
  execSystemExecDir: string;
  execSystemInputDir: string;
  execSystemOutputDir: string;
  archiveMode: string;
  archiveSystemId: string;
  archiveSystemDir: string;
  dtnSystemId: string | null;
  dtnSystemInputDir: string | null;
  dtnSystemOutputDir: string | null;
  sharedAppCtx: string;
  sharedAppCtxAttribs: readonly string[];
}

export interface DirectoryToMake {
  systemId: string;
  dir: string;
  /** Who shared the app that the directory comes from. */
  sharedBy?: string;
}

/** The directories of a job that have to be made; those above another one come with it. */
export function directoriesToMake(job: Directories): DirectoryToMake[] {
  const all: [string | null, string | null, string][] = [
    [job.execSystemId, job.execSystemExecDir, 'SAC_EXEC_SYSTEM_EXEC_DIR'],
    [job.execSystemId, job.execSystemInputDir, 'SAC_EXEC_SYSTEM_INPUT_DIR'],
    [job.execSystemId, job.execSystemOutputDir, 'SAC_EXEC_SYSTEM_OUTPUT_DIR'],
    [
      job.archiveMode === 'NEVER' ? null : job.archiveSystemId,
      job.archiveSystemDir,
      'SAC_ARCHIVE_SYSTEM_DIR',
    ],
    [job.dtnSystemId, job.dtnSystemInputDir, 'SAC_DTN_SYSTEM_INPUT_DIR'],
    [job.dtnSystemId, job.dtnSystemOutputDir, 'SAC_DTN_SYSTEM_OUTPUT_DIR'],
  ];
  const wanted = new Map<string, DirectoryToMake>();
  for (const [systemId, dir, attribute] of all) {
    const sharedBy = job.sharedAppCtxAttribs.includes(attribute) ? job.sharedAppCtx : undefined;
    if (systemId && dir && dir !== '/')
      wanted.set(`${systemId}:${dir}`, { systemId, dir, sharedBy });
  }
  const list = [...wanted.values()];
  return list.filter(
    ({ systemId, dir }) =>
      !list.some((other) => other.systemId === systemId && other.dir.startsWith(`${dir}/`)),
  );
}
