import { joinPath } from '@libs/macros';
import { parseSourceUrl } from '@libs/jobs-model';
import type { Job } from '@libs/jobs-store';
import { type LaunchPlan, Unlaunchable } from '@libs/job-runtimes';
import type { Launcher } from '@libs/schedulers';

/** What is launched for a job whose execution system has this rootDir. */
export function launchPlanOf(job: Job, rootDir: string, launcher: Launcher): LaunchPlan {
  const { parameterSet, fileInputs, app } = job.definition;
  const on = (dir: string) => joinPath(rootDir || '/', dir);
  const execDir = on(job.execSystemExecDir);
  const fetched = launcher.fetches(app.containerImage);
  return {
    uuid: job.uuid,
    execDir,
    inputDir: on(job.execSystemInputDir),
    outputDir: on(job.execSystemOutputDir),
    image: fetched ? `${execDir}/${fetched}` : app.containerImage,
    fetched: fetched !== undefined,
    prefix: (job.mpi ? job.mpiCmd : job.cmdPrefix) ?? '',
    appArgs: parameterSet.appArgs.map(({ arg }) => arg),
    containerArgs: parameterSet.containerArgs.map(({ arg }) => arg),
    env: parameterSet.envVariables.map(({ key, value }) => ({ key, value })),
    stdoutFile: parameterSet.logConfig.stdoutFilename,
    stderrFile: parameterSet.logConfig.stderrFilename,
    mounts: fileInputs.flatMap(({ sourceUrl, targetPath, autoMountLocal }) => {
      const source = parseSourceUrl(sourceUrl);
      if (typeof source === 'string') throw new Unlaunchable(`Input ${sourceUrl} ${source}`);
      return source.local && autoMountLocal
        ? [{ source: on(source.path), target: targetPath }]
        : [];
    }),
  };
}
