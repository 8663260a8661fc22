import type { AuthnMethod, StoredCredential } from './credential';
import { isDynamic, loginFor } from './effective-user';
import { UNLIMITED } from './logical-queue';
import type { SystemAttributes } from './system';

interface Kept {
  tenant: string;
  uuid: string;
  deleted: boolean;
  parentId: string | null;
  hostKeys: string[];
  isPublic: boolean;
  sharedWithUsers: string[];
  created: Date;
  updated: Date;
}

/** A system as it is answered: with what is computed when it is fetched. */
export type SystemRecord = SystemAttributes &
  Kept & {
    isDynamicEffectiveUser: boolean;
    hasCredentials: boolean;
    /** Null but for the services that may read it. */
    authnCredential: (StoredCredential & { authnMethod: AuthnMethod }) | null;
  };

/** `user` is who looks; `login` and `methods` belong to the credential they would use. */
export function systemRecord(
  system: SystemAttributes,
  kept: Kept,
  seen: { user: string; login: string | null; methods: AuthnMethod[] },
): SystemRecord {
  const { effectiveUserId } = system;
  return {
    ...system,
    jobMaxJobs: unlimited(system.jobMaxJobs),
    jobMaxJobsPerUser: unlimited(system.jobMaxJobsPerUser),
    effectiveUserId: loginFor(effectiveUserId, seen.user, seen.login),
    isDynamicEffectiveUser: isDynamic(effectiveUserId),
    hasCredentials: seen.methods.includes(system.defaultAuthnMethod),
    ...kept,
    authnCredential: null,
  };
}

const unlimited = (n: number): number => (n < 0 ? UNLIMITED : n);
