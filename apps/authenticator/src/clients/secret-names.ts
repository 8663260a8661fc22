import { createHash } from 'node:crypto';

/** The name by which the security kernel knows this service; its own secrets belong to it. */
export const OWN_NAME = 'authenticator';

/** Names of people hold characters that names of secrets may not. */
export const totpSecretName = (tenant: string, username: string): string =>
  `totp+${tenant}+${createHash('sha256').update(username).digest('hex')}`;
