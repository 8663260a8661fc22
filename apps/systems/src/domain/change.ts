import { BadInput } from '@libs/envelope';
import { completed } from './completed';
import type { SystemAttributes, SystemPatch, SystemPut } from './system';

export type Change = { patch: SystemPatch } | { replace: SystemPut };

/** The attributes of a system after a change. */
export function changed(before: SystemAttributes, change: Change): SystemAttributes {
  if ('patch' in change) return completed({ ...before, ...defined(change.patch) });
  const { id, owner, systemType, enabled, bucketName, rootDir, canExec, effectiveUserId } = before;
  const fixed = { id, owner, systemType, enabled, bucketName, rootDir, canExec, effectiveUserId };
  return completed({ ...change.replace, ...fixed });
}

/** Absent means unchanged. */
function defined(patch: SystemPatch): Partial<SystemAttributes> {
  const entries = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<SystemAttributes>;
}

export const isEmpty = (change: Change): boolean =>
  'patch' in change && !Object.keys(defined(change.patch)).length;

/** Of a child only the login changes; the rest is its parent's. */
export function assertChildChange(id: string, change: Change): void {
  if (!('patch' in change))
    throw new BadInput(
      'SYSLIB_CHILD_PUT_NOT_ALLOWED',
      `System "${id}" is a child system: it can't be replaced, only its effectiveUserId be patched.`,
    );
  const others = Object.keys(defined(change.patch)).filter((name) => name !== 'effectiveUserId');
  if (others.length)
    throw new BadInput(
      'SYSLIB_CHILD_PATCH_NOT_ALLOWED',
      `System "${id}" is a child system: ${others.join(', ')} can't be patched, only effectiveUserId.`,
    );
}
