import { BadInput } from '@libs/envelope';

export const ROLE_TYPES = [
  'USER',
  'USER_DEFAULT',
  'TENANT_ADMIN',
  'RESTRICTED_SVC',
  'SITE_ADMIN',
] as const;
export type RoleType = (typeof ROLE_TYPES)[number];

const PREFIX: Record<RoleType, string> = {
  USER: '',
  USER_DEFAULT: '$$',
  TENANT_ADMIN: '$!',
  RESTRICTED_SVC: '$#',
  SITE_ADMIN: '$~',
};
const CALLER_NAME = /^[A-Za-z][A-Za-z0-9_]{0,57}$/;

export const TENANT_ADMIN_ROLE = '$!tenant_admin';
export const SITE_ADMIN_ROLE = '$~site_admin';

/** The name a user's own role is stored under; permission grants go to it. */
export const defaultRole = (user: string): string => `$$${user}`;

/** With its prefix the name of a default role has to fit into that of a role. */
const LONGEST_USER = 58;

export function assertHasDefaultRole(user: string): void {
  if (user.length > LONGEST_USER)
    throw new BadInput('SK_USER_NAME', `user: must have at most ${LONGEST_USER} characters.`);
}

/** The stored name of a role: a name with its prefix stays, one without gets that of its type. */
export function storedName(name: string, type: RoleType = 'USER'): string {
  return name.startsWith('$') ? name : `${PREFIX[type]}${name}`;
}

export function typeOf(storedName: string): RoleType {
  const found = ROLE_TYPES.find((t) => PREFIX[t] !== '' && storedName.startsWith(PREFIX[t]));
  return found ?? 'USER';
}

/** Callers name roles by letters, digits and underscores; `$` is kept for the security kernel's own. */
export function assertCallerName(name: string): void {
  if (!CALLER_NAME.test(name)) {
    throw new BadInput(
      'SK_ROLE_NAME',
      `The role name "${name}" must begin with a letter, hold letters, digits and _ only, and have at most 58 characters.`,
    );
  }
}
