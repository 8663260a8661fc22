import { sharedBy } from '../clients/systems.client';
import { systemUri } from '../domain/transfer-elements';
import { JobFailure, type Step } from './step';
import { APP, transferred } from './transfer';

/** Fetches the app if its image is a URL, writes the launch files, unpacks. */
export const stagingJob: Step = async (job, tools) => {
  const place = await tools.place(job);
  const { host, launcher, plan } = place;
  launcher.check(plan);
  const image = job.definition.app.containerImage;
  const name = launcher.fetches(image);
  if (name) {
    const open = await transferred(job, tools, APP, () => [
      {
        sourceURI: image,
        destinationURI: systemUri(job.execSystemId, job.execSystemExecDir, name),
        // Who may use a shared app may use its image.
        ...(job.sharedAppCtx && { srcSharedCtx: job.sharedAppCtx }),
        destSharedCtx: sharedBy(job, 'SAC_EXEC_SYSTEM_ID'),
      },
    ]);
    if (open) return open;
  }
  const problem = launcher.stageProblem(await tools.runLong(place, launcher.stage(plan)));
  if (problem) throw new JobFailure(`The app can't be staged on ${host.host}: ${problem}`);
  return { to: 'SUBMITTING_JOB' };
};
