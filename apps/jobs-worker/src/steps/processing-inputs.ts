import { quote } from '@libs/hosts';
import { FAIL, answers, hostScript } from '@libs/schedulers';
import { sharedBy } from '../clients/systems.client';
import { isInPlace } from '../domain/archive-plan';
import { inputElements } from '../domain/transfer-elements';
import { JobFailure, type Step } from './step';

/** Makes the directories of the job, those that are there already included. */
export const processingInputs: Step = async (job, tools) => {
  const { host, plan } = await tools.place(job);
  const dirs = quote(...new Set([plan.execDir, plan.inputDir, plan.outputDir]));
  const text = `${FAIL}
problem=$(mkdir -p -- ${dirs} 2>&1 </dev/null) || fail "$problem"
echo ::made`;
  const elsewhere = job.archiveMode !== 'NEVER' && !isInPlace(job);
  const [said] = await Promise.all([
    tools.run(host, hostScript(text)),
    elsewhere &&
      tools.files.makeDir(
        job,
        job.archiveSystemId,
        job.archiveSystemDir,
        sharedBy(job, 'SAC_ARCHIVE_SYSTEM_ID'),
      ),
  ]);
  const lines = answers(said);
  const failed = lines.find(([word]) => word === 'fail');
  if (failed || !lines.some(([word]) => word === 'made'))
    throw new JobFailure(
      `The directories of the job can't be made: ${failed?.slice(1).join(' ') ?? 'no answer'}`,
    );
  return inputElements(job).length
    ? { to: 'STAGING_INPUTS' }
    : { to: 'STAGING_JOB', via: ['STAGING_INPUTS'] };
};
