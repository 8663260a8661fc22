import { type HostPool, isHostError } from '@libs/hosts';
import { type StorePlace, storeProblem } from './problem';
import { connectStore } from './registry';
import type { Store, StoreAddress } from './store';

export interface FoundStore {
  type: string;
  address: StoreAddress;
}

/**
 * Connects to a store and works with it. When the host refuses the login or shows another key, the definition is
 * looked up once more (`fresh`): it may have been changed a moment ago. Failures come out as the platform's errors.
 */
export async function withStore<T>(
  pool: HostPool,
  place: StorePlace,
  lookUp: (fresh: boolean) => Promise<FoundStore>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  try {
    const first = await lookUp(false);
    try {
      return await work(connectStore(first.type, first.address, { pool }));
    } catch (error) {
      if (!isHostError(error, 'login-refused') && !isHostError(error, 'host-key-changed'))
        throw error;
      const second = await lookUp(true);
      if (identity(second) === identity(first)) throw error;
      return await work(connectStore(second.type, second.address, { pool }));
    }
  } catch (error) {
    throw storeProblem(error, place);
  }
}

const identity = ({ address }: FoundStore): string =>
  JSON.stringify([address.host, address.port, address.user, address.auth, address.hostKeys]);
