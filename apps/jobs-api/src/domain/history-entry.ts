import { Json, Moment, Text } from '@libs/fields';
import { JOB_STATES } from '@libs/jobs-model';

/** An entry of a job's history as clients see it. */
export class HistoryEntry {
  @Text({ description: 'Category' }) event!: string;
  @Text() eventDetail!: string;
  @Moment() created!: string;
  @Text({ description: 'JSON text; plain text for user events' }) description!: string;
  @Text({ optional: true }) transferTaskUuid!: string | null;
  @Json({ optional: true }) transferSummary!: object;
}

interface EventFacts {
  event: string;
  eventDetail: string;
  data: Record<string, unknown>;
  othUuid: string | null;
  created: Date;
}

interface JobFacts {
  uuid: string;
  name: string;
  owner: string;
  [attribute: string]: unknown;
}

const AT_THE_END = [
  'blockedCount', 'condition', 'remoteJobId', 'remoteJobId2', 'remoteOutcome', 'remoteResultInfo', 'remoteQueue',
  'remoteSubmitted', 'remoteStarted', 'remoteEnded',
]; // prettier-ignore

/** What an event says, with what every event says of its job; the last ones also say how the job ended. */
export function eventData(
  { eventDetail, data }: EventFacts,
  job: JobFacts,
): Record<string, unknown> {
  const last = JOB_STATES.isTerminal(eventDetail) || eventDetail === 'FINAL_MESSAGE';
  return {
    jobName: job.name,
    jobUuid: job.uuid,
    jobOwner: job.owner,
    ...data,
    ...(last && Object.fromEntries(AT_THE_END.map((name) => [name, job[name] ?? null]))),
  };
}

export function historyEntry(entry: EventFacts, job: JobFacts): HistoryEntry {
  const { event, eventDetail, data, othUuid, created } = entry;
  const plain = event === 'JOB_USER_EVENT';
  return {
    event,
    eventDetail,
    created: created.toISOString(),
    description: plain ? String(data['message'] ?? '') : JSON.stringify(eventData(entry, job)),
    transferTaskUuid: othUuid,
    transferSummary: {},
  };
}
