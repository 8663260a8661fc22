/** The login user stands for whoever asks. */
export const DYNAMIC_USER = '${apiUserId}';

export const isDynamic = (effectiveUserId: string): boolean => effectiveUserId === DYNAMIC_USER;

/** The host login: for a dynamic system the mapped login of the user, else the user's own name. */
export function loginFor(
  effectiveUserId: string,
  user: string,
  mapped: string | null | undefined,
): string {
  return isDynamic(effectiveUserId) ? (mapped ?? user) : effectiveUserId;
}

/** Whose credential is meant: the static login's, or that of the user who asks. */
export function credentialUser(effectiveUserId: string, user: string): string {
  return isDynamic(effectiveUserId) ? user : effectiveUserId;
}
