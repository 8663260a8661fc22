import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

/** A value the vault is asked to make itself. */
export const GENERATE = '<generate-secret>';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const makePair = promisify(generateKeyPair);

/** Replaces each `<generate-secret>`: an RSA 2048 pair for signing keys, else 16 random bytes in base 62. */
export async function withGenerated(
  type: string,
  data: Record<string, string>,
): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  for (const [key, value] of Object.entries(data)) {
    if (value !== GENERATE) made[key] = value;
    else if (type === 'jwtsigning' || key === 'privateKey') Object.assign(made, await rsaPair());
    else made[key] = base62(randomBytes(16));
  }
  return made;
}

async function rsaPair(): Promise<{ privateKey: string; publicKey: string }> {
  const pair = await makePair('rsa', { modulusLength: 2048 });
  return {
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

function base62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (rest > 0n) {
    text = DIGITS[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text.padStart(22, '0');
}
