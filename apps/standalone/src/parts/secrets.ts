import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** What must survive a restart and nobody else may read. */
export interface Secrets {
  siteAdminPrivateKey: string;
  siteAdminPublicKey: string;
  /** Base64 of 32 bytes: the security kernel encrypts with it. */
  masterKey: string;
  /** One password per service, by service name. */
  servicePasswords: Record<string, string>;
}

/** The installation's secrets, made on the first start; a service added later gets its password then. */
export function openSecrets(file: string, services: readonly string[]): Secrets {
  const secrets: Secrets = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Secrets)
    : { ...newKeyPair(), masterKey: randomBytes(32).toString('base64'), servicePasswords: {} };
  for (const service of services)
    secrets.servicePasswords[service] ??= randomBytes(24).toString('base64url');
  // written beside and renamed: a kill in the middle must not leave half a file
  const text = `${JSON.stringify(secrets, null, 2)}\n`;
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
  return secrets;
}

function newKeyPair(): Pick<Secrets, 'siteAdminPrivateKey' | 'siteAdminPublicKey'> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { siteAdminPrivateKey: privateKey, siteAdminPublicKey: publicKey };
}
