import type { Caller } from '@libs/auth';
import type { OwnedResource } from './resource-access';

/** What a service does itself when the permissions or shares of one of its resources are asked for or changed. */
export abstract class SharedResources<R extends OwnedResource = OwnedResource> {
  /** A resource of the caller's tenant that is not deleted, or the error that says so. */
  abstract find(caller: Caller, id: string): Promise<R>;

  /** A line of history about a changed permission. */
  abstract record(
    caller: Caller,
    resource: R,
    operation: 'grantPerms' | 'revokePerms',
    description: object,
  ): Promise<void>;

  /** The security kernel holds other shares now; copies for showing follow. */
  abstract sharesChanged(resource: R): Promise<void>;

  /** Throws when the owner may not be granted anything beside owning it. */
  assertGrantable?(resource: R, user: string): void;
}
