import { defineEvent, defineWork } from './define-message';

/** A job has something to do now: it was submitted, woken, unblocked or asked to cancel. */
export const jobsWork = defineWork<{ uuid: string }>('jobs.work');

/** A history row of a job was written; `id` is its number, which grows with time. */
export const jobsEvent = defineEvent<{ uuid: string; tenant: string; id: number }>('jobs.event');

/** Somebody wants a job cancelled: for the worker that holds it. */
export const jobsCancel = defineEvent<{ uuid: string }>('jobs.cancel');

/** A transfer has something to do now. */
export const transfersWork = defineWork<{ uuid: string }>('transfers.work');

/** A transfer reached a terminal status; `tag` is what its requester called it. */
export const transfersEnded = defineEvent<{
  uuid: string;
  tenant: string;
  status: string;
  tag: string | null;
}>('transfers.ended');

/** How far a transfer has come; sent now and then, never relied on. */
export const transfersProgress = defineEvent<{
  uuid: string;
  tenant: string;
  /** Whose transfer it is: anybody may give theirs any tag. */
  username: string;
  tag: string | null;
  status: string;
  bytesDone: number;
  bytesTotal: number;
  filesDone: number;
  filesTotal: number;
}>('transfers.progress');

/** A token must not be accepted any more; `exp` (seconds) says how long that has to be remembered. */
export const tokensRevoked = defineEvent<{ jti: string; exp: number }>('tokens.revoked');

/** The list of tenants or sites changed: read it again. */
export const tenantsChanged = defineEvent<Record<string, never>>('tenants.changed');
