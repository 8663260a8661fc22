import type { Credential } from '../credential';
import type { SystemAttributes } from '../system';

type Read = keyof SystemAttributes | 'authnCredential';

/** Rules over the same attributes; each broken one is a text with its code (systems-apps contract, 2.2). */
export interface RuleGroup {
  /** Nothing is said while one of these is not even well-formed. */
  reads: readonly Read[];
  broken(system: SystemAttributes, credential?: Credential): string[];
}
