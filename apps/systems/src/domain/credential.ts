import { BadInput } from '@libs/envelope';
import { Text } from '@libs/fields';

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
  fields: readonly (keyof Credential)[];
  /** Where the security kernel keeps it. */
  keytype: string;
}

/** The fields of each method. */
export const METHODS: Readonly<Record<AuthnMethod, MethodSpec>> = {
  PASSWORD: { fields: ['password'], keytype: 'password' },
  PKI_KEYS: { fields: ['publicKey', 'privateKey'], keytype: 'sshkey' },
  ACCESS_KEY: { fields: ['accessKey', 'accessSecret'], keytype: 'accesskey' },
  TOKEN: { fields: ['accessToken', 'refreshToken'], keytype: 'token' },
  TMS_KEYS: { fields: [], keytype: 'tmskey' },
};

/** The methods that a body has all fields of. */
export function methodsIn(credential: Credential): AuthnMethod[] {
  return AUTHN_METHODS.filter((method) => {
    const { fields } = METHODS[method];
    return fields.length > 0 && fields.every((field) => credential[field]);
  });
}

/** Pairs of which only one half was given. */
export function halfPairs(credential: Credential): string[] {
  return AUTHN_METHODS.filter((method) => {
    const given = METHODS[method].fields.filter((field) => credential[field]);
    return given.length > 0 && given.length < METHODS[method].fields.length;
  }).map(
    (method) =>
      `SYSLIB_CRED_INCOMPLETE ${METHODS[method].fields.join(' and ')} belong together (${method})`,
  );
}

/** The secret of one method, as text by field name. */
export function secretOf(credential: Credential, method: AuthnMethod): Record<string, string> {
  const pairs = METHODS[method].fields.map((field) => [field, lines(credential[field]!)] as const);
  return Object.fromEntries(pairs);
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
