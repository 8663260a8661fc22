import { BadInput } from '@libs/envelope';
import type { Credential } from '../credential';
import type { SystemAttributes } from '../system';
import { credentialRules } from './credential-rules';
import { execRules } from './exec-rules';
import { typeRules } from './type-rules';
import { variableRules } from './variable-rules';

const ALL = [...typeRules, ...execRules, variableRules, ...credentialRules];

/** Every broken rule over several attributes; those over attributes that are `unclear` are left out. */
export function brokenRules(
  system: SystemAttributes,
  credential?: Credential,
  unclear: ReadonlySet<string> = new Set(),
): string[] {
  return ALL.filter(({ reads }) => !reads.some((name) => unclear.has(name))).flatMap((group) =>
    group.broken(system, credential),
  );
}

/** One 400 for all that is wrong with a system. */
export function refuseBroken(id: string, violations: readonly string[]): void {
  if (violations.length)
    throw new BadInput(
      'SYSLIB_CREATE_INVALID_ERRORLIST',
      `system "${id}" breaks rules`,
      violations,
    );
}

/** What is wrong with a body by itself is told to everybody, before whether its system is there and the caller's. */
export async function afterBody<T>(
  id: string,
  violations: readonly string[],
  looked: Promise<T>,
): Promise<T> {
  return looked.catch((error: unknown) => {
    refuseBroken(id, violations);
    throw error;
  });
}
