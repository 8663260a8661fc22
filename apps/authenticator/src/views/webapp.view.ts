import { platform } from '@libs/platform-name';
import { type Html, html } from './html';
import { brand, form, type Page, ROOT, success } from './layout';

/** What every page of the web application has around it. */
export interface Around {
  tenant: string;
  username: string;
  csrf: string;
}

const TABS = [
  ['webapp', 'Token'],
  ['webapp/clients', 'Clients'],
  ['webapp/account', 'Account'],
] as const;

export function webappPage(
  { tenant, username, csrf }: Around,
  tab: (typeof TABS)[number][0],
  title: string,
  body: Html,
): Page {
  const logout = html`<button class="link">Log out</button>`;
  const bar = html`<header class="topbar">
    <div>
      <div class="row">
        ${brand(tenant)}
        <div class="who">
          <span>${username}</span>
          ${form('webapp/logout', csrf, {}, logout)}
        </div>
      </div>
      <nav aria-label="Pages">
        <ul>
          ${TABS.map(
            ([path, name]) =>
              html`<li>
                <a href="${ROOT}/${path}" ${path === tab ? html`aria-current="page"` : null}
                  >${name}</a
                >
              </li>`,
          )}
        </ul>
      </nav>
    </div>
  </header>`;
  return { title, tenant, bar, body };
}

export interface ShownToken {
  token: string;
  claims: Record<string, unknown>;
  /** Seconds since 1970. */
  expires: number;
  /** Seconds that it was good for when it was made. */
  life: number;
  refreshable: boolean;
}

export function tokenPage(around: Around, shown: ShownToken, now: number, said?: string): Page {
  const { token, claims, expires, life, refreshable } = shown;
  const left = Math.max(0, Math.round(expires - now / 1000));
  const refresh = html`<button class="plain">
    ${refreshable ? 'Refresh' : 'Get a new token'}
  </button>`;
  const revoke = html`<button class="danger">Revoke</button>`;
  const body = html`${success(said)}
    <section class="card" aria-labelledby="your-token">
      <h1 id="your-token">Your token</h1>
      <p class="lead">
        Programs that send it act as you. Treat it like a password, and revoke it when somebody else
        has seen it.
      </p>
      <p class="life">
        <span>Time left: <strong data-expires="${expires}">${duration(left)}</strong></span>
        <span class="hint">until ${new Date(expires * 1000).toUTCString()}</span>
      </p>
      <progress id="life" max="${life}" value="${left}" aria-label="Time left of the token">
        ${duration(left)}
      </progress>
      <label for="token">Access token</label>
      <textarea class="token" id="token" rows="7" readonly spellcheck="false">${token}</textarea>
      <div class="actions">
        <button type="button" data-copy="token" data-said="copied" hidden>Copy</button>
        ${form('webapp/refresh', around.csrf, {}, refresh)}
        ${form('webapp/revoke', around.csrf, {}, revoke)}
        <span id="copied" role="status" class="hint"></span>
      </div>
    </section>
    <section class="card" aria-labelledby="use-it">
      <h2 id="use-it">Use it</h2>
      <p class="hint">Every call carries it in a header, for instance:</p>
      <p><code>curl -H "${platform().header('Token')}: $TOKEN" …/v3/systems</code></p>
    </section>
    <section class="card" aria-labelledby="claims">
      <h2 id="claims">What it says</h2>
      <dl class="claims">
        ${inOrder(claims).map(
          ([name, value]) =>
            html`<div>
              <dt><code>${name}</code></dt>
              <dd>${claimText(name, value)}</dd>
            </div>`,
        )}
      </dl>
    </section>`;
  return webappPage(around, 'webapp', 'Your token', body);
}

export function revokedPage(around: Around): Page {
  const body = html`<section class="card">
    <h1>The token is revoked</h1>
    <p>No service takes it any more, and it can’t be refreshed. You are still logged in here.</p>
    <p><a class="button" href="${ROOT}/webapp">Get a new token</a></p>
  </section>`;
  return webappPage(around, 'webapp', 'Token revoked', body);
}

const FIRST = ['sub', 'tenant_id', 'username', 'client_id', 'grant_type', 'exp', 'iss', 'jti'];

/** What people look for first. */
function inOrder(claims: Record<string, unknown>): [string, unknown][] {
  const place = (name: string) => {
    const found = FIRST.indexOf(name.split('/').pop()!);
    return found < 0 ? FIRST.length : found;
  };
  return Object.entries(claims).sort(([a], [b]) => place(a) - place(b));
}

const TIMES = ['exp', 'iat', 'nbf'];

function claimText(name: string, value: unknown): string {
  if (TIMES.includes(name) && typeof value === 'number')
    return `${new Date(value * 1000).toUTCString()} (${value})`;
  if (value === null) return 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** In two units at most: `3 hours 59 minutes`. */
export function duration(seconds: number): string {
  const first = UNITS.findIndex(([size]) => seconds >= size);
  if (first < 0) return 'expired';
  let rest = seconds;
  const words = UNITS.slice(first, first + 2).map(([size, name]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count ? `${count} ${name}${count === 1 ? '' : 's'}` : '';
  });
  return words.filter(Boolean).join(' ');
}
