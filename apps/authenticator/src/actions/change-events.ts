import type { Caller } from '@libs/auth';
import type { AuthEvent } from '../store/auth-events.store';

/** Who changes something of a tenant, and from where. */
export interface Changer {
  caller: Pick<Caller, 'tenant' | 'user' | 'jwtTenant' | 'jwtUser'>;
  address: string;
}

/** The record of a change: who, on whose behalf, what. Names of members, never their values. */
export function changeEvent(
  { caller, address }: Changer,
  change: { event: string; outcome: string; username?: string; details?: string },
): AuthEvent {
  const { tenant, user, jwtTenant, jwtUser } = caller;
  const subject = `${jwtUser}@${jwtTenant}`;
  const person = `${user}@${tenant}`;
  const by = subject === person ? subject : `${subject} for ${person}`;
  return { tenant, address, status: 200, by, ...change };
}
