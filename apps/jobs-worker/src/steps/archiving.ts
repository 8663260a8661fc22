import { type Host, quote } from '@libs/hosts';
import { archiveSelector, type JobCondition } from '@libs/jobs-model';
import type { Job } from '@libs/jobs-store';
import type { LaunchPlan } from '@libs/job-runtimes';
import { FAIL, failureOf, hostScript } from '@libs/schedulers';
import { sharedBy } from '../clients/systems.client';
import { archiveWay, launchFiles, ownFolders } from '../domain/archive-plan';
import { systemUri, type TransferElement } from '../domain/transfer-elements';
import type { Tools } from '../runner/tools';
import { JobFailure, type Place, type Step, type StepResult } from './step';
import { ARCHIVE, transferred } from './transfer';

/** A listing of so many bytes is the longest that is read. */
const MAX_LISTING = 64 * 1024 * 1024;

/** Brings the outputs where they are to stay, clears the host, ends the job. */
export const archiving: Step = async (job, tools) => {
  const place = await tools.place(job);
  const way = archiveWay(job);
  if (way === 'whole' || way === 'selected') {
    const open = await transferred(job, tools, ARCHIVE, () => elementsOf(job, tools, place, way));
    if (open) return open;
  }
  await clear(job, tools, place, way === 'in-place');
  return ending(job);
};

function ending(job: Job): StepResult {
  if (job.remoteOutcome === 'FINISHED') return { to: 'FINISHED' };
  const timeout = job.launch?.condition as JobCondition | undefined;
  return {
    to: 'FAILED',
    condition: timeout ?? 'JOB_REMOTE_OUTCOME_ERROR',
    message: timeout
      ? (job.lastMessage ?? undefined)
      : `The application ended with exit code ${job.remoteResultInfo}`,
  };
}

/** Removes what the launch kept; beforehand the launch files join outputs that stay where they are. */
async function clear(job: Job, tools: Tools, place: Place, copy: boolean) {
  const { host, launcher, plan } = place;
  const { control, selection } = ownFolders(job.uuid);
  const { includeLaunchFiles } = job.definition.parameterSet.archiveFilter;
  const chosen = `${plan.outputDir}/${selection}`;
  const from = launchFiles().map((name) => `${plan.execDir}/${control}/${name}`);
  const copying =
    copy && includeLaunchFiles && plan.execDir !== plan.outputDir
      ? `if [ -d ${quote(`${plan.execDir}/${control}`)} ]; then
cp ${quote(...from, `${plan.outputDir}/`)} || fail "can't archive the launch files"
fi`
      : '';
  const said = await tools.run(
    place,
    hostScript(`${FAIL}
${copying}
${launcher.clear(plan)}
[ ! -d ${quote(chosen)} ] || rm -rf -- ${quote(chosen)}
echo ::cleared`),
  );
  const problem = failureOf(said, 'cleared');
  if (problem) throw new JobFailure(`${host.host}: ${problem}`);
}

async function elementsOf(
  job: Job,
  tools: Tools,
  { host, plan }: Place,
  way: 'whole' | 'selected',
): Promise<TransferElement[]> {
  const { control, selection } = ownFolders(job.uuid);
  const element = (source: string[], ...target: string[]): TransferElement => ({
    sourceURI: systemUri(job.execSystemId, ...source),
    destinationURI: systemUri(job.archiveSystemId, job.archiveSystemDir, ...target),
    srcSharedCtx: sharedBy(job, 'SAC_EXEC_SYSTEM_ID'),
    destSharedCtx: sharedBy(job, 'SAC_ARCHIVE_SYSTEM_ID'),
  });
  const elements: TransferElement[] = [];
  if (way === 'whole') elements.push(element([job.execSystemOutputDir]));
  else if (await select(job, tools, host, plan))
    elements.push(element([job.execSystemOutputDir, selection]));
  if (job.definition.parameterSet.archiveFilter.includeLaunchFiles)
    for (const name of launchFiles())
      elements.push(element([job.execSystemExecDir, control, name], name));
  return elements;
}

/**
 * Gathers the outputs that are wanted in a folder of their own, as further links to the same files: so any number of
 * them is one element of the transfer. Answers how many there are.
 */
async function select(job: Job, tools: Tools, host: Host, plan: LaunchPlan): Promise<number> {
  const { control, selection } = ownFolders(job.uuid);
  const out = quote(plan.outputDir);
  const options = { timeoutMs: tools.settings.commandSeconds * 1000, check: true };
  const own = quote('(', '-name', control, '-o', '-name', selection, ')', '-prune');
  const find = `cd ${out} && find . ${own} -o ! -type d -print0`;
  const { stdout } = await host.exec(find, { ...options, maxOutput: MAX_LISTING });
  const wanted = archiveSelector(job.definition.parameterSet.archiveFilter);
  const paths = stdout
    .split('\0')
    .map((path) => path.replace(/^\.\//, ''))
    .filter((path) => path && wanted(path));
  if (!paths.length) return 0;
  const links = `cd ${out} && rm -rf ${selection} && mkdir ${selection} && { xargs -0 cp -lL --parents -t ${selection} -- 2>/dev/null || exit 3; }`;
  const copies = links.replace('cp -lL', 'cp -L').replace('2>/dev/null ', '');
  const input = paths.map((path) => `${path}\0`).join('');
  const linked = await host.exec(links, { ...options, check: false, input });
  // Not every file system has links.
  if (linked.code !== 0) await host.exec(copies, { ...options, input });
  return paths.length;
}
