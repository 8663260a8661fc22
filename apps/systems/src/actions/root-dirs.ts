import { Injectable } from '@nestjs/common';
import { BadInput } from '@libs/envelope';
import { storageTypes } from '@libs/storage';
import { HostCheck } from '../clients/host-check';
import { onlyOf, type Credential } from '../domain/credential';
import { hostEvalOf, normalised } from '../domain/root-dir';
import type { SystemAttributes } from '../domain/system';

/** Where the paths of a new system begin, once and for all. */
@Injectable()
export class RootDirs {
  constructor(private readonly hosts: HostCheck) {}

  /** Straightened; HOST_EVAL is asked of the host, by a login with the credential. */
  async resolve(
    system: SystemAttributes,
    credential: Credential | undefined,
    hostKeys: string[],
  ): Promise<string> {
    const { rootDir, systemType } = system;
    const macro = hostEvalOf(rootDir);
    if (!macro || !credential) {
      const kept = rootDir === '' || storageTypes[systemType]?.rootDir === 'prefix';
      return kept ? rootDir : normalised(rootDir);
    }
    const { effectiveUserId: user, defaultAuthnMethod } = system;
    const secret = onlyOf(credential, defaultAuthnMethod);
    const found = await this.hosts.variable({ ...system, hostKeys }, user, secret, macro.name);
    const value = found || macro.fallback;
    if (value) return normalised(`/${value}${macro.tail}`);
    throw new BadInput(
      'SYSLIB_HOST_EVAL_RESOLVE_EMPTY',
      `rootDir: variable ${macro.name} is not set for ${user} on host ${system.host}, and there is no default.`,
    );
  }
}
