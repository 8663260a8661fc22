import { createPublicKey } from 'node:crypto';
import { Moment, Text } from '@libs/fields';

export const KEY_LENGTH = 10_000;

/** A public key that verifies tokens of the tenant; `kid` is its thumbprint. */
export class TenantKey {
  @Text({ max: 100 }) kid!: string;
  @Text({ max: KEY_LENGTH, multiline: true }) public_key!: string;
  @Moment({
    nullable: true,
    optional: true,
    description: 'An earlier key counts until then: the last token signed with it has expired',
  })
  until?: string | null;
}

/** Whether this is the public half of an RSA key in PEM form. */
export function isRsaKey(pem: unknown): boolean {
  if (typeof pem !== 'string' || !/^-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem.trim()))
    return false;
  try {
    const key = createPublicKey(pem);
    return (
      key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
    );
  } catch {
    return false;
  }
}
