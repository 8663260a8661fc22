import { BadInput } from '@libs/envelope';
import { Text } from '@libs/fields';
import { readPrivateKey } from '@libs/hosts';

const KEY = { optional: true, max: 32_768, multiline: true, trim: false };
const WORD = { optional: true, max: 4096, trim: false };

/** What is registered to log in to a host or store; several methods may lie in one body. */
export class Credential {
  @Text({
    optional: true,
    min: 1,
    max: 60,
    description: 'Host login of the platform user; dynamic systems only',
  })
  loginUser?: string;
  @Text(WORD) password?: string;
  @Text(KEY) publicKey?: string;
  @Text(KEY) privateKey?: string;
  @Text(WORD) accessKey?: string;
  @Text(WORD) accessSecret?: string;
  @Text(KEY) accessToken?: string;
  @Text(KEY) refreshToken?: string;
}

/** What lies in the security kernel: also what a key server made. */
export interface StoredCredential extends Credential {
  tmsPublicKey?: string;
  tmsPrivateKey?: string;
  tmsFingerprint?: string;
}

export const AUTHN_METHODS = ['PASSWORD', 'PKI_KEYS', 'ACCESS_KEY', 'TOKEN', 'TMS_KEYS'] as const;
export type AuthnMethod = (typeof AUTHN_METHODS)[number];

/** The method that a request names. */
export function authnMethodOf(name: string): AuthnMethod {
  const found = AUTHN_METHODS.find((method) => method === name);
  if (found) return found;
  throw new BadInput(
    'SYSLIB_AUTHN_METHOD_NOT_FOUND',
    `authnMethod must be one of ${AUTHN_METHODS.join(', ')}, not "${name}".`,
  );
}

interface MethodSpec {
  /** Both or none of these are given. */
  fields: readonly (keyof StoredCredential)[];
  /** Where the security kernel keeps it. */
  keytype: string;
}

/** The fields of each method. */
export const METHODS: Readonly<Record<AuthnMethod, MethodSpec>> = {
  PASSWORD: { fields: ['password'], keytype: 'password' },
  PKI_KEYS: { fields: ['publicKey', 'privateKey'], keytype: 'sshkey' },
  ACCESS_KEY: { fields: ['accessKey', 'accessSecret'], keytype: 'accesskey' },
  TOKEN: { fields: ['accessToken', 'refreshToken'], keytype: 'token' },
  TMS_KEYS: { fields: ['tmsPublicKey', 'tmsPrivateKey', 'tmsFingerprint'], keytype: 'tmskey' },
};

/** The methods that a body has all fields of. */
export function methodsIn(credential: StoredCredential): AuthnMethod[] {
  return AUTHN_METHODS.filter((method) => METHODS[method].fields.every((f) => credential[f]));
}

/** The secret of one method and nothing else. */
export function onlyOf(credential: StoredCredential, method: AuthnMethod): StoredCredential {
  return Object.fromEntries(METHODS[method].fields.map((field) => [field, credential[field]]));
}

/** Pairs of which only one half was given. */
export function halfPairs(credential: StoredCredential): string[] {
  return AUTHN_METHODS.filter((method) => {
    const given = METHODS[method].fields.filter((field) => credential[field]);
    return given.length > 0 && given.length < METHODS[method].fields.length;
  }).map(
    (method) =>
      `SYSLIB_CRED_INCOMPLETE ${METHODS[method].fields.join(' and ')} belong together (${method})`,
  );
}

/** The secret of one method, as text by field name, and as every login can use it. */
export function secretOf(
  credential: StoredCredential,
  method: AuthnMethod,
): Record<string, string> {
  const pairs = METHODS[method].fields.map((field) => {
    const text = lines(credential[field]!);
    return [field, field === 'privateKey' ? (readPrivateKey(text).key ?? text) : text] as const;
  });
  return Object.fromEntries(pairs);
}

/** Why no login can use the private key, if so; unseen, a text that is no key at all is nobody's business. */
export function keyProblem({ privateKey }: Credential, unseen: boolean): string | undefined {
  if (!privateKey) return undefined;
  const { problem, locked } = readPrivateKey(lines(privateKey));
  return unseen && !locked ? undefined : problem;
}

/** Keys may come on a single line with `\n` written out (mission). */
export const lines = (text: string): string =>
  text.includes('-----') ? text.replaceAll('\\n', '\n') : text;

/** For history: which fields were given, none of their values. */
export function masked(credential: Credential): Record<string, string> {
  const { loginUser, ...secrets } = credential;
  const hidden = Object.keys(secrets).filter(
    (key) => secrets[key as keyof typeof secrets] !== undefined,
  );
  return {
    ...(loginUser ? { loginUser } : {}),
    ...Object.fromEntries(hidden.map((key) => [key, '***'])),
  };
}
