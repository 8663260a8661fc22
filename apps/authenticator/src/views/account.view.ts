import { html } from './html';
import { alert, form, type Page, ROOT, success } from './layout';
import { codesList, enrolment } from './mfa.view';
import { type Around, webappPage } from './webapp.view';

const TAB = 'webapp/account';

export interface AccountState {
  /** Undefined: no second factor. */
  codesLeft?: number;
  required: boolean;
  /** The tenant's own server keeps second factors; nothing is set up here. */
  elsewhere: boolean;
  /** Only where the password is kept here. */
  ownPassword: boolean;
  consents: { client_id: string; given: Date }[];
  said?: string;
  problem?: { of: 'password' | 'factor'; text: string };
}

export function accountPage(around: Around, state: AccountState): Page {
  const body = html`${success(state.said)} ${factorCard(around, state)}
  ${state.ownPassword ? passwordCard(around, state) : null} ${consentsCard(around, state)}`;
  return webappPage(around, TAB, 'Your account', body);
}

function factorCard({ csrf, tenant }: Around, state: AccountState) {
  const { codesLeft, required, problem, elsewhere } = state;
  if (elsewhere)
    return html`<section class="card">
      <h1>Second factor</h1>
      <p class="lead">${tenant} keeps it on a server of its own; it is set up and changed there.</p>
    </section>`;
  if (codesLeft === undefined)
    return html`<section class="card">
      <h1>Second factor</h1>
      <p class="lead">
        With one, your password alone lets nobody in here: a one-time code of your telephone is
        asked for, too.
      </p>
      <p><a class="button" href="${ROOT}/${TAB}/factor">Set one up</a></p>
    </section>`;
  const code = (id: string) =>
    html`<div class="field">
      <label for="${id}">One-time code or recovery code</label>
      <input
        id="${id}"
        name="code"
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck="false"
        required
        maxlength="40"
      />
    </div>`;
  const renew = html`${code('code')}
    <div class="actions">
      <button name="what" value="codes">New recovery codes</button>
      ${
        required
          ? null
          : html`<button class="danger" name="what" value="remove">
              Remove the second factor
            </button>`
      }
    </div>`;
  return html`<section class="card">
    <h1>Second factor</h1>
    <p class="lead">
      It is on: your authenticator app is asked for. Recovery codes left:
      <strong>${codesLeft}</strong>.
      ${required ? html`This tenant asks for it, so it can’t be removed.` : null}
    </p>
    ${alert(problem?.of === 'factor' ? problem.text : undefined)}
    ${form(`${TAB}/factor/change`, csrf, {}, renew)}
  </section>`;
}

function passwordCard({ csrf, username }: Around, { problem }: AccountState) {
  const fields = html`<input
      type="text"
      name="username"
      value="${username}"
      autocomplete="username"
      hidden
      readonly
    />
    <div class="field">
      <label for="old_password">Present password</label>
      <input
        id="old_password"
        name="old_password"
        type="password"
        autocomplete="current-password"
        required
        maxlength="1024"
      />
    </div>
    <div class="field">
      <label for="new_password">New password</label>
      <input
        id="new_password"
        name="new_password"
        type="password"
        autocomplete="new-password"
        required
        minlength="8"
        maxlength="1024"
      />
      <span class="hint">At least 8 characters. Other browsers are logged out.</span>
    </div>
    <button>Change the password</button>`;
  return html`<section class="card">
    <h2>Password</h2>
    ${alert(problem?.of === 'password' ? problem.text : undefined)}
    ${form(`${TAB}/password`, csrf, {}, fields)}
  </section>`;
}

function consentsCard({ csrf }: Around, { consents }: AccountState) {
  if (!consents.length) return null;
  return html`<section class="card">
    <h2>Always allowed</h2>
    <p class="hint">These clients get access without asking you.</p>
    ${consents.map(
      ({ client_id, given }) =>
        html`<div class="client">
          <div>
            <strong class="mono">${client_id}</strong>
            <span class="hint">since ${given.toUTCString()}</span>
          </div>
          ${form(
            `${TAB}/consents`,
            csrf,
            { client_id },
            html`<button class="plain" aria-label="Ask again for ${client_id}">Ask again</button>`,
          )}
        </div>`,
    )}
  </section>`;
}

export function setUpPage(
  around: Around,
  offer: { secret: string; qr: string },
  problem?: string,
): Page {
  const form = { csrf: around.csrf, flow: {}, problem };
  const body = html`<section class="card">
    <h1>Set up a second factor</h1>
    ${enrolment(form, offer, `${TAB}/factor`)}
    <p class="below"><a href="${ROOT}/${TAB}">Not now</a></p>
  </section>`;
  return webappPage(around, TAB, 'Set up a second factor', body);
}

export function newCodesPage(around: Around, codes: string[]): Page {
  const body = html`<section class="card">
    <h1>Your recovery codes</h1>
    ${codesList(codes)}
    <p><a class="button" href="${ROOT}/${TAB}">I have kept them</a></p>
  </section>`;
  return webappPage(around, TAB, 'Recovery codes', body);
}
