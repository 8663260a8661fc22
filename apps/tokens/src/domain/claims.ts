import { BadInput } from '@libs/envelope';
import { platform } from '@libs/platform-name';

/** What a token is asked for. */
export interface TokenSubject {
  tenant: string;
  user: string;
  accountType: 'user' | 'service';
  /** Service tokens: the site they are good at. */
  targetSite?: string;
  delegator?: { tenant: string; user: string };
  extra?: Record<string, unknown>;
}

/** Tokens travel in headers, which servers limit. */
const LONGEST_CLAIMS = 4_096;

const STANDARD = [
  'jti',
  'iss',
  'sub',
  'exp',
  'iat',
  'nbf',
  'aud',
  'tenant',
  'username',
  'account_type',
  'target_site',
];
const OWN = [
  'tenant_id',
  'username',
  'token_type',
  'account_type',
  'delegation',
  'delegation_sub',
  'target_site',
];

/** Everything an access token says besides jti, iss and exp (platform contract, 4.4). */
export function accessClaims(subject: TokenSubject): Record<string, unknown> {
  const claim = (name: string) => platform().claim(name);
  return {
    ...subject.extra,
    sub: `${subject.user}@${subject.tenant}`,
    [claim('tenant_id')]: subject.tenant,
    [claim('username')]: subject.user,
    [claim('account_type')]: subject.accountType,
    [claim('token_type')]: 'access',
    [claim('delegation')]: subject.delegator !== undefined,
    [claim('delegation_sub')]: subject.delegator
      ? `${subject.delegator.user}@${subject.delegator.tenant}`
      : null,
    ...(subject.targetSite === undefined ? {} : { [claim('target_site')]: subject.targetSite }),
  };
}

/** Nobody may set what the token itself says; names with the platform's prefix are the authenticator's alone. */
export function assertExtraClaims(extra: Record<string, unknown>, byAuthenticator: boolean): void {
  const prefix = platform().claim('');
  const refused = Object.keys(extra).filter((name) => {
    if (!name.startsWith(prefix)) return STANDARD.includes(name);
    return !byAuthenticator || OWN.includes(name.slice(prefix.length));
  });
  if (refused.length) {
    throw new BadInput('TOKENS_CLAIMS', `These claims can't be asked for: ${refused.join(', ')}.`);
  }
  if (JSON.stringify(extra).length > LONGEST_CLAIMS)
    throw new BadInput('TOKENS_CLAIMS', `The claims are longer than ${LONGEST_CLAIMS} characters.`);
}
