/** What a tenant asks for beside the password (`mfa_config`, platform contract 6.6). */
export interface MfaRules {
  /** Everybody needs a second factor; else whoever has enrolled one. */
  required: boolean;
  /** How long a browser that has shown the factor is not asked again, in seconds; 0: at every login. */
  remembered: number;
  /** A server of the tenant's own that checks the codes of everybody. */
  privacyidea?: PrivacyIdeaSettings;
}

export interface PrivacyIdeaSettings {
  url?: string;
  realm?: string;
  clientId?: string;
  clientKey?: string;
}

const LONGEST_SECONDS = 90 * 86_400;

export function mfaRules(config: Record<string, unknown>): MfaRules {
  const totp = (config['totp'] ?? {}) as Record<string, unknown>;
  const server = config['privacyidea'] as Record<string, unknown> | undefined;
  const { expire, expiry_frequency: seconds } = server ?? totp;
  return {
    required: totp['required'] === true,
    remembered: expire === true ? Math.min(Number(seconds ?? 0), LONGEST_SECONDS) : 0,
    ...(server && { privacyidea: serverOf(server) }),
  };
}

function serverOf(given: Record<string, unknown>): PrivacyIdeaSettings {
  const text = (name: string) => (given[name] ? String(given[name]) : undefined);
  return {
    url: text('privacy_idea_url'),
    realm: text('realm'),
    clientId: text('privacy_idea_client_id'),
    clientKey: text('privacy_idea_client_key'),
  };
}

/** What is wrong with an `mfa_config`, one text each; empty when it can be used. */
export function mfaConfigProblems(config: Record<string, unknown>): string[] {
  const problems: string[] = [];
  for (const [key, value] of Object.entries(config)) {
    const at = `mfa_config.${key}`;
    if (key !== 'totp' && key !== 'privacyidea') problems.push(`${at}: is not totp or privacyidea`);
    else if (typeof value !== 'object' || value === null || Array.isArray(value))
      problems.push(`${at}: must be an object`);
    else problems.push(...memberProblems(key, value as Record<string, unknown>, at));
  }
  if (config['totp'] && config['privacyidea']) problems.push('mfa_config: names one kind, not two');
  return problems;
}

const MEMBERS: Record<string, Record<string, 'boolean' | 'number' | 'string' | 'any'>> = {
  totp: { required: 'boolean', expire: 'boolean', expiry_frequency: 'number' },
  privacyidea: {
    privacy_idea_url: 'string',
    privacy_idea_client_id: 'string',
    privacy_idea_client_key: 'string',
    realm: 'string',
    grant_types: 'any',
    expire: 'boolean',
    expiry_frequency: 'number',
  },
};

function memberProblems(key: string, value: Record<string, unknown>, at: string): string[] {
  const url = value['privacy_idea_url'];
  const address = /^https?:\/\/\S+$/.test(String(url ?? ''));
  const wrong = typeof url !== 'string' || !address;
  const nowhere = key === 'privacyidea' && wrong;
  return [
    ...(nowhere ? [`${at}.privacy_idea_url: must be an http or https URL`] : []),
    ...typeProblems(key, value, at),
  ];
}

function typeProblems(key: string, value: Record<string, unknown>, at: string): string[] {
  return Object.entries(value).flatMap(([name, given]) => {
    const type = MEMBERS[key]![name];
    if (!type) return [`${at}.${name}: is not known`];
    if (type === 'number' && !(Number.isInteger(given) && (given as number) >= 0))
      return [`${at}.${name}: must be a whole number of seconds`];
    return type === 'any' || typeof given === type ? [] : [`${at}.${name}: must be a ${type}`];
  });
}
