import { Recoverable } from '@libs/envelope';
import { isHostError } from '@libs/hosts';
import type { Job, JobPatch } from '@libs/jobs-store';
import type { Transfer } from '../clients/files.client';
import type { TransferElement } from '../domain/transfer-elements';
import type { Tools } from '../runner/tools';
import { JobFailure, type StepResult } from './step';

type Kind = 'input' | 'archive' | 'stageApp' | 'dtnInput' | 'dtnOutput';

/** What a job has transferred for it, and where it keeps the transfer's ids. */
interface Purpose {
  tag: string;
  id: `${Kind}TransactionId`;
  correlation: `${Kind}CorrelationId`;
  event?: 'JOB_INPUT_TRANSACTION_ID' | 'JOB_ARCHIVE_TRANSACTION_ID';
}

export const INPUT: Purpose = {
  tag: 'input',
  id: 'inputTransactionId',
  correlation: 'inputCorrelationId',
  event: 'JOB_INPUT_TRANSACTION_ID',
};
export const ARCHIVE: Purpose = {
  tag: 'archive',
  id: 'archiveTransactionId',
  correlation: 'archiveCorrelationId',
  event: 'JOB_ARCHIVE_TRANSACTION_ID',
};
export const APP: Purpose = {
  tag: 'app',
  id: 'stageAppTransactionId',
  correlation: 'stageAppCorrelationId',
};

export const DTN_INPUT: Purpose = {
  tag: 'dtn-input',
  id: 'dtnInputTransactionId',
  correlation: 'dtnInputCorrelationId',
};
export const DTN_OUTPUT: Purpose = {
  tag: 'dtn-output',
  id: 'dtnOutputTransactionId',
  correlation: 'dtnOutputCorrelationId',
};

/** The job that a transfer's tag speaks of; undefined if it is none of a job's. */
export const jobOfTag = (tag: string | null): string | undefined =>
  /^([0-9a-f-]{36}-\d{3})(:(?:input|archive|app|dtn-input|dtn-output))(\.\d+)?$/.exec(
    tag ?? '',
  )?.[1];

/**
 * Sees to it that something is transferred. Undefined once it is; else what the step has to answer. The same transfer
 * is asked for by the same key, so a crash in between makes no second one; after having been blocked it is a new one.
 */
export async function transferred(
  job: Job,
  tools: Tools,
  purpose: Purpose,
  elements: () => TransferElement[] | Promise<TransferElement[]>,
): Promise<StepResult | undefined> {
  const known = job[purpose.id];
  const wanted = known ? [] : await elements();
  if (!known && !wanted.length) return undefined;
  const transfer = known
    ? await tools.files.transferNow(job, known)
    : await ask(job, tools, purpose, wanted);
  switch (transfer.status) {
    case 'COMPLETED':
      await note(job, tools, purpose, transfer);
      return undefined;
    case 'FAILED':
    case 'CANCELLED':
      await note(job, tools, purpose, transfer);
      throw await failureOf(job, tools, purpose, transfer);
    default:
      // A transfer is patient with a host that is away; people want to know.
      if (known) await tools.probed(job);
      return { wait: 'message', until: nextPoll(job, tools) };
  }
}

/** The longer it takes, the later it is asked about; its end is told anyway. */
function nextPoll({ lastUpdated }: Job, tools: Tools): Date {
  const first = tools.settings.transferPollSeconds * 1000;
  const since = tools.now().getTime() - lastUpdated.getTime();
  return new Date(tools.now().getTime() + Math.min(Math.max(since / 2, first), 60_000));
}

async function ask(job: Job, tools: Tools, purpose: Purpose, elements: TransferElement[]) {
  const again = job.blockedCount ? `.${job.blockedCount}` : '';
  const tag = `${job.uuid}:${purpose.tag}${again}`;
  const transfer = await tools.files.transfer(job, tag, elements);
  const patch: JobPatch = { [purpose.id]: transfer.uuid, [purpose.correlation]: tag };
  Object.assign(job, await tools.note(job, patch));
  if (!ended(transfer)) await note(job, tools, purpose, transfer);
  return transfer;
}

const ended = ({ status }: Transfer) => status !== 'ACCEPTED' && status !== 'IN_PROGRESS';

async function note(job: Job, tools: Tools, { event }: Purpose, transfer: Transfer) {
  if (!event) return;
  const { uuid: transactionId, status: transferStatus, errorMessage } = transfer;
  const message = `Transfer ${transactionId} is ${transferStatus}${errorMessage ? `: ${errorMessage}` : ''}`;
  await tools.store.addEvent(job, {
    event,
    detail: transferStatus,
    data: { message, transferStatus, transactionId },
    othUuid: transactionId,
  });
}

/** A transfer that failed because a host was away blocks the job; any other failure is the job's. */
async function failureOf(job: Job, tools: Tools, purpose: Purpose, transfer: Transfer) {
  const { uuid, status, errorMessage } = transfer;
  const text = `Transfer ${uuid} is ${status}: ${errorMessage ?? 'no reason given'}`;
  const passing = status === 'FAILED' && (await troubleOf(job, tools, text));
  if (!passing) return new JobFailure(text, 'JOB_TRANSFER_FAILED_OR_CANCELLED');
  // The next try is a transfer of its own.
  await tools.note(job, { [purpose.id]: null });
  return passing;
}

/** Why a transfer that says this may succeed later; undefined if there is no such reason. */
async function troubleOf(job: Job, tools: Tools, text: string): Promise<unknown> {
  try {
    await tools.probe(await tools.place(job));
  } catch (error) {
    if (isHostError(error)) return error;
    throw error;
  }
  return PASSING.test(text) ? new Recoverable('SERVICE_CONNECTION_FAILURE', text) : undefined;
}

const PASSING =
  /UNREACHABLE|TIME_?D?_?OUT|ECONN|EHOSTUNREACH|unreachable|connection (was )?lost|in time|did not end within/;
