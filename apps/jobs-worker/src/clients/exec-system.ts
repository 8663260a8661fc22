import type { HostLogin } from '@libs/hosts';
import { Recoverable } from '@libs/envelope';

/** The answer of the systems service with its credential, as far as a worker looks at it. */
export interface ExecSystem {
  id: string;
  enabled: boolean;
  host: string;
  port?: number | null;
  rootDir?: string | null;
  effectiveUserId: string;
  jobMaxJobs?: number | null;
  jobMaxJobsPerUser?: number | null;
  batchLogicalQueues?: { name: string; maxJobs?: number; maxJobsPerUser?: number }[] | null;
  hostKeys?: string[] | null;
  authnCredential?: {
    authnMethod?: string | null;
    loginUser?: string | null;
    privateKey?: string | null;
    tmsPrivateKey?: string | null;
    password?: string | null;
  } | null;
}

/** How to log in to a system; throws `Recoverable` when its user has registered nothing to log in with. */
export function loginOf(
  system: ExecSystem,
  onHostKey: (fingerprint: string) => Promise<void>,
): HostLogin {
  const { authnCredential: credential, host, port, hostKeys } = system;
  const { password } = credential ?? {};
  const privateKey = credential?.privateKey || credential?.tmsPrivateKey;
  const user = credential?.loginUser || system.effectiveUserId;
  if (!privateKey && !password)
    throw new Recoverable(
      'FIRST_SSH_AUTHENTICATION_FAILED',
      `No usable credential of ${user} is registered for system ${system.id}`,
    );
  return {
    host,
    port: port && port > 0 ? port : 22,
    user,
    auth: privateKey ? { privateKey } : { password: password! },
    ...(hostKeys?.length ? { hostKeys } : { onHostKey }),
  };
}
