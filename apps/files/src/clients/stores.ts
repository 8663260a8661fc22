import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type AccessQuestion, FileAccess, storeAddress, SystemsClient } from '@libs/files-access';
import { sharedHostPool } from '@libs/hosts';
import { type Capability, requireCapability, type Store, withStore } from '@libs/storage';

/** Stores of systems, opened for whoever may do what is asked. */
@Injectable()
export class Stores implements OnApplicationShutdown {
  private readonly hosts = sharedHostPool();

  constructor(
    private readonly access: FileAccess,
    private readonly systems: SystemsClient,
  ) {}

  /** Checks the right, then works with the store; every failure is one of the platform's errors. */
  use<T>(
    question: AccessQuestion | AccessQuestion[],
    capability: Capability,
    work: (store: Store, rootDir: string) => Promise<T>,
  ): Promise<T> {
    const questions = [question].flat();
    const { actor, systemId } = questions[0]!;
    let rootDir = '/';
    const lookUp = async (fresh: boolean) => {
      if (fresh) this.systems.forget(actor, systemId);
      const granted = await Promise.all(questions.map((q) => this.access.require(q)));
      const { system } = granted[0]!;
      requireCapability(system.systemType, capability, systemId);
      rootDir = system.rootDir || '/';
      const address = storeAddress(
        actor,
        system,
        granted.some((g) => g.jailed),
      );
      const onHostKey = (key: string) => this.systems.pinHostKey(actor, systemId, key);
      return { type: system.systemType, address: { ...address, onHostKey } };
    };
    const place = { tenant: actor.tenant, systemId };
    return withStore(this.hosts.pool, place, lookUp, (store) => work(store, rootDir));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.hosts.release();
  }
}
