import type { Flow } from '../domain/login-flow';
import { Html, html } from './html';
import { alert, form, type Page, ROOT } from './layout';

interface FactorPage {
  tenant: string;
  csrf: string;
  flow: Flow;
  problem?: string;
}

const codeField = (label: string, hint: Html | null, problem?: string): Html =>
  html`<div class="field">
    <label for="code">${label}</label>
    <input
      class="code-field"
      id="code"
      name="code"
      inputmode="text"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck="false"
      required
      maxlength="40"
      autofocus
      ${problem ? html`aria-describedby="problem" aria-invalid="true"` : null}
    />
    ${hint}
  </div>`;

const leave = html`<p class="below"><a href="${ROOT}/logout">Log out</a></p>`;

/** `elsewhere`: the tenant's own server keeps the second factors, whatever they are. */
export function verifyPage({ tenant, csrf, flow, problem }: FactorPage, elsewhere = false): Page {
  const hint = elsewhere
    ? null
    : html`<span class="hint">No telephone? One of your recovery codes does as well.</span>`;
  const lead = elsewhere
    ? html`Enter the code of your second factor for <strong>${tenant}</strong>.`
    : html`Enter the six digits that your authenticator app shows now.`;
  const fields = html`${codeField('Code', hint, problem)} <button class="full">Continue</button>`;
  const body = html`<section class="card">
      <h1>One-time code</h1>
      <p class="lead">${lead}</p>
      ${alert(problem)} ${form('mfa', csrf, flow, fields)}
    </section>
    ${leave}`;
  return { title: 'One-time code', tenant, body };
}

/** The secret as a picture and as text, and the field that proves it arrived. */
export function enrolment(
  { csrf, flow, problem }: Omit<FactorPage, 'tenant'>,
  { secret, qr }: { secret: string; qr: string },
  action: string,
): Html {
  const groups = secret.match(/.{1,4}/g)!.join(' ');
  const fields = html`${codeField('Code that the app shows', null, problem)}
    <button class="full">Confirm</button>`;
  return html`<p class="lead">
      Scan this with an authenticator app on your telephone, then enter the six digits it shows.
    </p>
    <div class="qr" role="img" aria-label="QR code of the secret below">${new Html(qr)}</div>
    <p>
      <span class="hint">Or type this secret into the app:</span>
      <code class="secret" id="secret">${groups}</code>
    </p>
    ${alert(problem)} ${form(action, csrf, flow, fields)}`;
}

export function enrolPage(page: FactorPage, offer: { secret: string; qr: string }): Page {
  const body = html`<section class="card">
      <h1>Set up a second factor</h1>
      <p class="note">Tenant <strong>${page.tenant}</strong> asks for one from everybody.</p>
      ${enrolment(page, offer, 'mfa')}
    </section>
    ${leave}`;
  return { title: 'Set up a second factor', tenant: page.tenant, body };
}

export const codesList = (codes: string[]): Html =>
  html`<p class="note">
      Keep these recovery codes where you find them without your telephone. Each works once, in
      place of a one-time code. <strong>They are not shown again.</strong>
    </p>
    <ul class="codes mono" id="codes">
      ${codes.map((code) => html`<li>${code}</li>`)}
    </ul>
    <p class="actions">
      <button type="button" class="plain" data-copy="codes" data-said="copied" hidden>
        Copy all
      </button>
      <span id="copied" role="status" class="hint"></span>
    </p>`;

export function codesPage(tenant: string, codes: string[], next: string): Page {
  const body = html`<section class="card">
    <h1>Your second factor is set up</h1>
    ${codesList(codes)}
    <p><a class="button full" href="${ROOT}/${next}">I have kept them: continue</a></p>
  </section>`;
  return { title: 'Recovery codes', tenant, body };
}
