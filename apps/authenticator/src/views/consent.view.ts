import type { Flow } from '../domain/login-flow';
import { type Html, html } from './html';
import { alert, form, type Page, ROOT } from './layout';

interface Asked {
  tenant: string;
  csrf: string;
  flow: Flow;
  username: string;
  client: string;
  description: string;
}

const meaning = ({ client, username, tenant }: Asked): Html =>
  html`<p class="lead">
      <strong>${client}</strong> wants to act for you as <strong>${username}</strong> in ${tenant}.
    </p>
    <ul class="plain">
      <li>It may do all that you may: systems, files, applications and jobs.</li>
      <li>It never learns your password, and you can end its access by revoking its token.</li>
    </ul>`;

const decision = html`<div class="two">
  <button class="plain" name="approve" value="no">Deny</button>
  <button name="approve" value="yes">Allow</button>
</div>`;

const somebodyElse = html`<p class="below">Not you? <a href="${ROOT}/logout">Log out</a></p>`;

/** A client asks for a code or a token. */
export function consentPage(asked: Asked & { redirectUri: string; mayRemember: boolean }): Page {
  const { tenant, csrf, flow, client, description, redirectUri, mayRemember } = asked;
  const content = html`${
    mayRemember
      ? html`<div class="check">
          <input type="checkbox" id="remember" name="remember" value="yes" />
          <label for="remember">Always allow ${client}; don’t ask again</label>
        </div>`
      : null
  }
  ${decision}`;
  const body = html`<section class="card">
      <h1>Allow access?</h1>
      ${meaning(asked)} ${description ? html`<p class="note">${description}</p>` : null}
      <p class="hint">You go on to <span class="mono">${redirectUri}</span></p>
      ${form('authorize', csrf, flow, content)}
    </section>
    ${somebodyElse}`;
  return { title: `Allow ${client}?`, tenant, body };
}

/** Somebody's program on another machine shows a code. */
export function deviceCodePage(
  asked: Pick<Asked, 'tenant' | 'csrf' | 'flow'> & { problem?: string },
): Page {
  const { tenant, csrf, problem } = asked;
  const { user_code, ...flow } = asked.flow;
  const field = html`<div class="field">
      <label for="user_code">Code</label>
      <input
        class="code-field"
        id="user_code"
        name="user_code"
        value="${user_code}"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        required
        maxlength="20"
        autofocus
        ${problem ? html`aria-describedby="problem" aria-invalid="true"` : null}
      />
      <span class="hint">The eight letters that your program shows</span>
    </div>
    <button class="full">Continue</button>`;
  const body = html`<section class="card">
    <h1>Connect a program</h1>
    <p class="lead">Enter its code only if you started it yourself.</p>
    ${alert(problem)} ${form('device', csrf, flow, field)}
  </section>`;
  return { title: 'Connect a program', tenant, body };
}

export function deviceConsentPage(asked: Asked & { userCode: string; days: number }): Page {
  const { tenant, csrf, flow, client, description, userCode, days } = asked;
  const content = html`<div class="field">
      <label for="ttl_days">Days that the access lasts</label>
      <input
        id="ttl_days"
        name="ttl_days"
        type="number"
        inputmode="numeric"
        min="1"
        max="${days}"
        value="${Math.min(30, days)}"
        required
      />
    </div>
    ${decision}`;
  const body = html`<section class="card">
      <h1>Connect this program?</h1>
      ${meaning(asked)} ${description ? html`<p class="note">${description}</p>` : null}
      <p>Its code is <strong class="mono">${userCode}</strong>. Compare it with what it shows.</p>
      ${form('device', csrf, { ...flow, user_code: userCode }, content)}
    </section>
    ${somebodyElse}`;
  return { title: `Connect ${client}?`, tenant, body };
}
