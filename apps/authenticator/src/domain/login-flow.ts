/** What a person came for: kept from page to page, as it came, until it is checked where it is used. */
export const FLOW_FIELDS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'scope',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'user_code',
  'to',
] as const;
export type Flow = Partial<Record<(typeof FLOW_FIELDS)[number], string>>;

const LONGEST = 2000;

/** The known values of a query or a form; unknown ones, empty ones and those given twice are left out. */
export function flowOf(given: unknown): Flow {
  const values = (given ?? {}) as Record<string, unknown>;
  const flow: Flow = {};
  for (const name of FLOW_FIELDS) {
    const value = values[name];
    if (typeof value === 'string' && value && value.length <= LONGEST) flow[name] = value;
  }
  return flow;
}

/** `page?client_id=…`: the same values for another page. */
export function withFlow(page: string, flow: Flow, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...flow, ...more }).toString();
  return query ? `${page}?${query}` : page;
}

/** Where somebody goes who is logged in. One of our own pages, whatever the query says. */
export function destination({ to, ...flow }: Flow, webapp: boolean): string {
  if (to === 'device' || flow.user_code) return withFlow('device', flow);
  if (to === 'account') return 'webapp/account';
  if (to === 'clients') return 'webapp/clients';
  if (to !== 'webapp' && flow.client_id) return withFlow('authorize', flow);
  return webapp ? 'webapp' : 'done';
}

/** The redirect URI as a Content-Security-Policy names it: browsers check where a form's answer leads, too. */
export function policySource(redirectUri: string): string | undefined {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(redirectUri) ?? [];
  if (!scheme) return undefined;
  if (!/^https?$/i.test(scheme)) return `${scheme.toLowerCase()}:`;
  return URL.canParse(redirectUri) ? new URL(redirectUri).origin : undefined;
}
