import type { Job } from '@libs/jobs-store';
import type { News } from '@libs/monitor';
import { outcomeOf } from '../domain/outcome';
import type { Tools } from '../runner/tools';
import { JobFailure, type Place, type Step, type StepResult } from './step';

/** Watches the app until it ends or its time is over. */
export const running: Step = async (job, tools, news) => {
  if (news?.kind === 'away') throw news.error;
  const place = await tools.place(job);
  const over = news && overBy(job, tools, place, news);
  if (over) return over;
  const until = new Date((job.remoteStarted ?? tools.now()).getTime() + job.maxMinutes * 60_000);
  if (tools.now() >= until) return overdue(job, tools, place);
  const { login, launcher, plan } = place;
  const since = tools.heardSince.get(job.uuid);
  if (!tools.monitor.watches(job.uuid))
    tools.monitor.watch(login, { ...plan, watching: launcher }, { since });
  return { wait: 'host', until };
};

function overBy(job: Job, tools: Tools, { launcher }: Place, news: News): StepResult | undefined {
  switch (news.kind) {
    case 'ended': {
      const { patch, message } = outcomeOf(job, news.code, news.at, tools.now());
      return { to: 'ARCHIVING', patch, message };
    }
    case 'vanished': {
      const code = news.code ?? launcher.vanishedCode;
      if (code === undefined)
        throw new JobFailure('The app is gone from its host without having told how it ended');
      const { patch } = outcomeOf(job, code, undefined, tools.now());
      const message = `The launch script was cut off; exit code ${code} is assumed`;
      return { to: 'ARCHIVING', patch, message };
    }
    case 'refused':
      throw new JobFailure(`The host refused to run the app: ${news.text}`);
    case 'unseen':
      throw new JobFailure(
        `Nothing could be learned about the running app for too long: ${news.why}`,
        'JOB_EXECUTION_MONITORING_ERROR_TIMEOUT',
      );
    default:
      return undefined;
  }
}

async function overdue(job: Job, tools: Tools, place: Place): Promise<StepResult> {
  await tools.run(place, place.launcher.kill(place.plan));
  tools.monitor.forget(job.uuid);
  return {
    to: 'ARCHIVING',
    message: `The application ran longer than ${job.maxMinutes} minutes and was ended`,
    patch: {
      remoteOutcome: 'FAILED_SKIP_ARCHIVE',
      remoteEnded: tools.now(),
      launch: { ...job.launch, condition: 'JOB_EXECUTION_MONITORING_TIMEOUT' },
    },
  };
}
