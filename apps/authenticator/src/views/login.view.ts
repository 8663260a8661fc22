import { platform } from '@libs/platform-name';
import { type Flow, withFlow } from '../domain/login-flow';
import type { IdentityProvider } from '../domain/identity-providers';
import { type Html, html } from './html';
import { alert, form, type Page, ROOT } from './layout';

interface LoginPage {
  tenant: string;
  csrf: string;
  flow: Flow;
  /** The client that the person came from. */
  client?: string;
  username?: string;
  problem?: string;
}

export function loginPage({ tenant, csrf, flow, client, username, problem }: LoginPage): Page {
  const purpose = client
    ? html`<p class="lead">to go on to <strong>${client}</strong></p>`
    : html`<p class="lead">with your account of <strong>${tenant}</strong></p>`;
  const fields = html`<div class="field">
      <label for="username">User name</label>
      <input
        id="username"
        name="username"
        value="${username}"
        autocomplete="username"
        autocapitalize="none"
        spellcheck="false"
        required
        maxlength="120"
        ${username ? null : html`autofocus`}
        ${problem ? html`aria-describedby="problem" aria-invalid="true"` : null}
      />
    </div>
    <div class="field">
      <label for="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
        maxlength="1024"
        ${username ? html`autofocus` : null}
        ${problem ? html`aria-describedby="problem" aria-invalid="true"` : null}
      />
    </div>
    <button class="full">Log in</button>`;
  const body = html`<section class="card">
      <h1>Log in</h1>
      ${purpose} ${alert(problem)} ${form('login', csrf, flow, fields)}
    </section>
    <p class="below"><a href="${ROOT}/${withFlow('tenant', flow)}">Another tenant</a></p>`;
  return { title: 'Log in', tenant, body };
}

const choices = (items: { href: string; name: string; hint?: string }[]): Html =>
  html`<ul class="choices">
    ${items.map(
      ({ href, name, hint }) =>
        html`<li>
          <a href="${href}">${name}${hint ? html`<span class="hint">${hint}</span>` : null}</a>
        </li>`,
    )}
  </ul>`;

export function providersPage(tenant: string, providers: IdentityProvider[], flow: Flow): Page {
  const items = providers.map(({ idpId, name, description }) => ({
    href: `${ROOT}/${withFlow('login', flow, { idp: idpId ?? '' })}`,
    name,
    hint: description,
  }));
  const body = html`<section class="card">
    <h1>Where is your account?</h1>
    <p class="lead">Choose who knows you; you come back here afterwards.</p>
    ${choices(items)}
  </section>`;
  return { title: 'Choose where to log in', tenant, body };
}

export interface TenantChoice {
  tenant_id: string;
  base_url: string;
  description?: string;
}

export function tenantsPage(tenants: TenantChoice[], flow: Flow): Page {
  const items = tenants.map(({ tenant_id, base_url, description }) => ({
    href: `${base_url}${ROOT}/${withFlow('login', flow)}`,
    name: tenant_id,
    hint: description,
  }));
  const body = html`<section class="card">
    <h1>Choose a tenant</h1>
    <p class="lead">Each has its own people, systems, applications and jobs.</p>
    ${choices(items)}
  </section>`;
  return { title: 'Choose a tenant', body };
}

/** Something happened, or did not; there is nothing to fill in. */
export function messagePage(
  title: string,
  content: Html,
  { tenant, bad = false }: { tenant?: string; bad?: boolean } = {},
): Page {
  const body = html`<section class="card" ${bad ? html`role="alert"` : null}>
    <h1>${title}</h1>
    ${content}
  </section>`;
  return { title, tenant, body };
}

export const goodbyePage = (tenant: string): Page =>
  messagePage(
    'You are logged out',
    html`<p>
        This browser forgets you. Tokens that ${platform().capital} has given out stay valid until
        they expire or are revoked.
      </p>
      <p><a class="button" href="${ROOT}/login">Log in again</a></p>`,
    { tenant },
  );

export const donePage = (tenant: string, username: string): Page =>
  messagePage(
    'You are logged in',
    html`<p>as <strong>${username}</strong>. You can close this page.</p>
      <p><a class="button plain" href="${ROOT}/logout">Log out</a></p>`,
    { tenant },
  );
