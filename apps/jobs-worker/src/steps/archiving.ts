import { quote } from '@libs/hosts';
import type { JobCondition } from '@libs/jobs-model';
import { joinPath } from '@libs/macros';
import type { Job } from '@libs/jobs-store';
import { FAIL, failureOf, hostScript } from '@libs/schedulers';
import { sharedBy } from '../clients/systems.client';
import { archiveWay, launchFiles, ownFolders } from '../domain/archive-plan';
import {
  dtnOutputMoves,
  outputPlace,
  systemUri,
  type TransferElement,
} from '../domain/transfer-elements';
import type { Tools } from '../runner/tools';
import { selectOutputs } from './select-outputs';
import { JobFailure, type Place, type Step, type StepResult } from './step';
import { ARCHIVE, DTN_OUTPUT, transferred } from './transfer';

/** Brings the outputs where they are to stay, clears the host, ends the job. */
export const archiving: Step = async (job, tools) => {
  const place = await tools.place(job);
  const way = archiveWay(job);
  if (way === 'whole' || way === 'selected') {
    const moving = await transferred(job, tools, DTN_OUTPUT, () => dtnOutputMoves(job));
    if (moving) return moving;
    const open = await transferred(job, tools, ARCHIVE, () => elementsOf(job, tools, place, way));
    if (open) return open;
    await closeLaunchFiles(job, tools);
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

/** They hold what the job was given as its environment, and a transfer makes files as any program does. */
async function closeLaunchFiles(job: Job, { files }: Tools): Promise<void> {
  if (!job.definition.parameterSet.archiveFilter.includeLaunchFiles) return;
  const { archiveSystemId, archiveSystemDir } = job;
  const context = sharedBy(job, 'SAC_ARCHIVE_SYSTEM_ID');
  await Promise.all(
    launchFiles().map((name) =>
      files.closeToOthers(job, archiveSystemId, joinPath(archiveSystemDir, name), context),
    ),
  );
}

/** Removes what the launch kept; beforehand the launch files join outputs that stay where they are. */
async function clear(job: Job, tools: Tools, place: Place, copy: boolean) {
  const { host, launcher, plan } = place;
  const { control, selection } = ownFolders(job.uuid);
  const { includeLaunchFiles } = job.definition.parameterSet.archiveFilter;
  const chosen = joinPath(place.system.rootDir || '/', outputPlace(job).dir, selection);
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
  { host, plan, system }: Place,
  way: 'whole' | 'selected',
): Promise<TransferElement[]> {
  const { control, selection } = ownFolders(job.uuid);
  const { systemId, dir } = outputPlace(job);
  const element = (source: string[], ...target: string[]): TransferElement => ({
    sourceURI: systemUri(systemId, ...source),
    destinationURI: systemUri(job.archiveSystemId, job.archiveSystemDir, ...target),
    srcSharedCtx: sharedBy(
      job,
      systemId === job.execSystemId ? 'SAC_EXEC_SYSTEM_ID' : 'SAC_DTN_SYSTEM_ID',
    ),
    destSharedCtx: sharedBy(job, 'SAC_ARCHIVE_SYSTEM_ID'),
  });
  const elements: TransferElement[] = [];
  if (way === 'whole') elements.push(element([dir]));
  else {
    const timeoutMs = tools.settings.commandSeconds * 1000;
    const { archiveFilter } = job.definition.parameterSet;
    const from = joinPath(system.rootDir || '/', dir);
    const count = await selectOutputs(host, from, plan.uuid, archiveFilter, timeoutMs);
    if (count) elements.push(element([dir, selection]));
  }
  if (job.definition.parameterSet.archiveFilter.includeLaunchFiles)
    for (const name of launchFiles())
      elements.push(element([job.execSystemExecDir, control, name], name));
  return elements;
}
