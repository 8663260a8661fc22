import { hostScript } from '@libs/schedulers';
import { JobFailure, type Step } from './step';

/** Launches the app, or finds that an earlier try has. */
export const submittingJob: Step = async (job, tools, news) => {
  if (news?.kind === 'away') throw news.error;
  if (news?.kind === 'unseen') throw new JobFailure(`The launch is out of sight: ${news.why}`);
  const place = await tools.place(job);
  const { login, host, launcher, plan } = place;
  // Listening before launching: then even the shortest job's end is heard.
  const since = await tools.monitor.ready(login, launcher.tells);
  // Substituted, so that the answer is waited for: what is launched holds it until it has its claim.
  const text = hostScript(`printf '%s\\n' "$(${launcher.launch(plan)})"`);
  const answer = launcher.readLaunch(await tools.run(place, text));
  switch (answer.kind) {
    case 'launched':
      // What was told while it was launching is spent: then the host is asked.
      if (news) tools.heardSince.delete(job.uuid);
      else tools.heardSince.set(job.uuid, since);
      return {
        to: 'RUNNING',
        via: ['QUEUED'],
        patch: { remoteJobId: answer.id },
        message: `Running on ${host.host} as ${answer.id}`,
      };
    case 'launching':
      tools.monitor.watch(login, { ...plan, watching: launcher }, { state: 'launching', since });
      return { wait: 'host' };
    case 'refused':
      throw new JobFailure(`${host.host} refused to launch the app: ${answer.text}`);
    case 'missing':
      throw new JobFailure(`The launch files are gone from ${plan.execDir} on ${host.host}`);
    case 'vanished':
      throw new JobFailure('The app was launched and is gone without having told how it ended');
  }
};
