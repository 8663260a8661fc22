import { BadInput, Forbidden } from '@libs/envelope';

export const SECRET_TYPES = ['system', 'dbcred', 'jwtsigning', 'user', 'service'] as const;
export type SecretType = (typeof SECRET_TYPES)[number];

const KEY_TYPES = ['sshkey', 'password', 'accesskey', 'token', 'tmskey', 'cert'] as const;
const LONGEST_NAME = 256;
const NAME = /^[A-Za-z0-9_.+-]+$/;

/** What a vault request says of the secret it means, besides the secret itself. */
export interface SecretRequest {
  type: string;
  name: string;
  tenant: string;
  user: string;
  sysid?: string;
  sysuser?: string;
  keytype?: string;
  dbhost?: string;
  dbname?: string;
  dbservice?: string;
}

/** Who asks, as the vault sees it: the subject of the token itself, never the one it acts for. */
export interface SecretReader {
  jwtTenant: string;
  jwtUser: string;
  accountType: 'user' | 'service';
}

/** The path of a secret within its tenant (platform contract, 5.9). A `+` in a name opens a folder. */
export function secretPath(request: SecretRequest): string {
  const name = named('name', request.name).replaceAll('+', '/');
  if (name.split('/').some((part) => part === '' || part === '..' || part === '.')) {
    throw new BadInput(
      'SK_SECRET_NAME',
      `The secret name "${request.name}" has an empty or dotted folder.`,
    );
  }
  switch (request.type as SecretType) {
    case 'system': {
      const keytype = request.keytype ?? 'sshkey';
      if (!(KEY_TYPES as readonly string[]).includes(keytype)) {
        throw new BadInput('SK_SECRET_KEYTYPE', `keytype must be one of ${KEY_TYPES.join(', ')}.`);
      }
      const system = named('sysid', request.sysid);
      if (keytype === 'cert') return `system/${system}/dynamicUserId/${name}`;
      return `system/${system}/user/${encodeURIComponent(present('sysuser', request.sysuser))}/${keytype}/${name}`;
    }
    case 'dbcred':
      return `service/${named('dbservice', request.dbservice)}/dbhost/${named('dbhost', request.dbhost)}/dbname/${named('dbname', request.dbname)}/dbuser/${encodeURIComponent(request.user)}/credentials/${name}`;
    case 'jwtsigning':
      return `jwtkey/${name}`;
    case 'user':
      return `user/${encodeURIComponent(request.user)}/kv/${name}`;
    case 'service':
      return `service/${encodeURIComponent(request.user)}/kv/${name}`;
    default:
      throw new BadInput(
        'SK_SECRET_TYPE',
        `The secret type must be one of ${SECRET_TYPES.join(', ')}.`,
      );
  }
}

/** Throws Forbidden unless this reader may read and write secrets of this type (platform contract, 5.9). */
export function assertMayUse(reader: SecretReader, request: SecretRequest): void {
  const isService = reader.accountType === 'service';
  const allowed: Record<SecretType, boolean> = {
    system: isService && reader.jwtUser === 'systems',
    dbcred: isService,
    jwtsigning: isService && reader.jwtUser === 'tokens',
    user: reader.jwtTenant === request.tenant && reader.jwtUser === request.user,
    service: isService && reader.jwtUser === request.user,
  };
  if (
    !(SECRET_TYPES as readonly string[]).includes(request.type) ||
    !allowed[request.type as SecretType]
  ) {
    throw new Forbidden(
      'SK_SECRET_FORBIDDEN',
      `${reader.jwtUser}@${reader.jwtTenant} may not use secrets of type "${request.type}" of ${request.user}@${request.tenant}.`,
    );
  }
}

function present(field: string, value: string | undefined): string {
  if (!value) throw new BadInput('SK_SECRET_PARAMETER', `The parameter "${field}" is missing.`);
  return value;
}

function named(field: string, value: string | undefined): string {
  const text = present(field, value);
  if (!NAME.test(text) || text.includes('..') || text.length > LONGEST_NAME) {
    throw new BadInput(
      'SK_SECRET_NAME',
      `"${field}" may hold letters, digits and _ - . + only, at most ${LONGEST_NAME}.`,
    );
  }
  return text;
}
