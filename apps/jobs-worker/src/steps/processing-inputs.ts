import { quote } from '@libs/hosts';
import { joinPath } from '@libs/macros';
import { FAIL, failureOf, hostScript } from '@libs/schedulers';
import { sharedBy } from '../clients/systems.client';
import { isInPlace } from '../domain/archive-plan';
import { inputElements } from '../domain/transfer-elements';
import { JobFailure, type Step } from './step';

/** Makes the directories of the job, those that are there already included. */
export const processingInputs: Step = async (job, tools) => {
  const place = await tools.place(job);
  const { host, plan, system } = place;
  // The data transfer node works on the same storage.
  const dtn = [job.dtnSystemInputDir, job.dtnSystemOutputDir].flatMap((dir) =>
    dir ? [joinPath(system.rootDir || '/', dir)] : [],
  );
  const dirs = [...new Set([plan.execDir, plan.inputDir, plan.outputDir, ...dtn])];
  const there = dirs.map((dir) => `[ -d ${quote(dir)} ]`).join(' && ');
  const text = `${FAIL}
${there} || mkdir -p -- ${quote(...dirs)} || fail "can't make the directories"
echo ::made`;
  const elsewhere = job.archiveMode !== 'NEVER' && !isInPlace(job);
  const [said] = await Promise.all([
    tools.run(place, hostScript(text)),
    elsewhere &&
      tools.files.makeDir(
        job,
        job.archiveSystemId,
        job.archiveSystemDir,
        sharedBy(job, 'SAC_ARCHIVE_SYSTEM_ID'),
      ),
  ]);
  const problem = failureOf(said, 'made');
  if (problem) throw new JobFailure(`${host.host}: ${problem}`);
  return inputElements(job).length
    ? { to: 'STAGING_INPUTS' }
    : { to: 'STAGING_JOB', via: ['STAGING_INPUTS'] };
};
