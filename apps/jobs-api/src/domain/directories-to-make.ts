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
}

/** The directories of a job that have to be made; those above another one come with it. */
export function directoriesToMake(job: Directories): { systemId: string; dir: string }[] {
  const all: [string | null, string | null][] = [
    [job.execSystemId, job.execSystemExecDir],
    [job.execSystemId, job.execSystemInputDir],
    [job.execSystemId, job.execSystemOutputDir],
    [job.archiveMode === 'NEVER' ? null : job.archiveSystemId, job.archiveSystemDir],
    [job.dtnSystemId, job.dtnSystemInputDir],
    [job.dtnSystemId, job.dtnSystemOutputDir],
  ];
  const wanted = new Map<string, { systemId: string; dir: string }>();
  for (const [systemId, dir] of all) {
    if (systemId && dir && dir !== '/') wanted.set(`${systemId}:${dir}`, { systemId, dir });
  }
  const list = [...wanted.values()];
  return list.filter(
    ({ systemId, dir }) =>
      !list.some((other) => other.systemId === systemId && other.dir.startsWith(`${dir}/`)),
  );
}
