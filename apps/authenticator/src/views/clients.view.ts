import type { Client } from '../domain/client';
import { type Html, html } from './html';
import { alert, form, type Page, ROOT, success } from './layout';
import { type Around, webappPage } from './webapp.view';

const TAB = 'webapp/clients';
export type ClientValues = Partial<Record<keyof Client | 'client_key', string>>;

const editable = (values: ClientValues): Html =>
  html`<div class="field">
      <label for="display_name">Name</label>
      <input id="display_name" name="display_name" maxlength="50" value="${values.display_name}" />
      <span class="hint">Shown to people when the client asks for access</span>
    </div>
    <div class="field">
      <label for="callback_url">Callback URL</label>
      <input
        id="callback_url"
        name="callback_url"
        maxlength="200"
        inputmode="url"
        autocapitalize="none"
        spellcheck="false"
        value="${values.callback_url}"
      />
      <span class="hint"
        >Where codes and tokens are sent, compared to the letter. Leave it empty for programs that
        use device codes or passwords.</span
      >
    </div>
    <div class="field">
      <label for="description">Description</label>
      <input id="description" name="description" maxlength="70" value="${values.description}" />
    </div>`;

export function clientsPage(around: Around, clients: Client[], said?: string): Page {
  const list = clients.length
    ? clients.map(
        ({ client_id, client_type, display_name }) =>
          html`<div class="client">
            <div>
              <strong>${display_name}</strong> <span class="tag">${client_type}</span>
              <span class="hint mono">${client_id}</span>
            </div>
            <a
              class="button plain"
              href="${ROOT}/${TAB}/${encodeURIComponent(client_id)}"
              aria-label="Change ${display_name}"
              >Change</a
            >
          </div>`,
      )
    : html`<p>You have none. A portal or a program needs one to ask people for access.</p>`;
  const body = html`${success(said)}
    <section class="card">
      <h1>Your clients</h1>
      <p class="lead">Programs that may ask people of ${around.tenant} to let them in.</p>
      ${list}
      <p><a class="button" href="${ROOT}/${TAB}/new">New client</a></p>
    </section>`;
  return webappPage(around, TAB, 'Your clients', body);
}

export function newClientPage(around: Around, values: ClientValues = {}, problem?: string): Page {
  const isPublic = values.client_type === 'public';
  const fields = html`${editable(values)}
    <div class="field">
      <label for="client_type">Kind</label>
      <select id="client_type" name="client_type">
        <option value="confidential" ${isPublic ? null : html`selected`}>Confidential</option>
        <option value="public" ${isPublic ? html`selected` : null}>Public</option>
      </select>
      <span class="hint"
        >Confidential: a server that can keep a key. Public: a page or a program on people’s
        machines; it has no key and uses PKCE.</span
      >
    </div>
    <div class="field">
      <label for="client_id">Client id</label>
      <input
        id="client_id"
        name="client_id"
        maxlength="80"
        autocapitalize="none"
        spellcheck="false"
        value="${values.client_id}"
      />
      <span class="hint">Leave it empty for a random one. It can never be changed.</span>
    </div>
    <div class="actions">
      <button>Create</button>
      <a class="button plain" href="${ROOT}/${TAB}">Cancel</a>
    </div>`;
  const body = html`<section class="card">
    <h1>New client</h1>
    ${alert(problem)} ${form(`${TAB}/new`, around.csrf, {}, fields)}
  </section>`;
  return webappPage(around, TAB, 'New client', body);
}

export function createdClientPage(around: Around, client: Client, key: string | null): Page {
  const secret = html`<p class="note">Keep the key now. <strong>It is not shown again.</strong></p>
    <div class="field">
      <label for="client_key">Client key</label>
      <input class="mono" id="client_key" readonly value="${key}" />
    </div>
    <p class="actions">
      <button type="button" class="plain" data-copy="client_key" data-said="copied" hidden>
        Copy the key
      </button>
      <span id="copied" role="status" class="hint"></span>
    </p>`;
  const body = html`<section class="card">
    <h1>${client.display_name} is ready</h1>
    <div class="field">
      <label for="client_id">Client id</label>
      <input class="mono" id="client_id" readonly value="${client.client_id}" />
    </div>
    ${key === null ? html`<p>It is public: it has no key and must use PKCE (S256).</p>` : secret}
    <p><a class="button" href="${ROOT}/${TAB}">Done</a></p>
  </section>`;
  return webappPage(around, TAB, 'Client created', body);
}

export function clientPage(
  around: Around,
  client: Client,
  values: ClientValues = client as unknown as ClientValues,
  problem?: string,
): Page {
  const place = `${TAB}/${encodeURIComponent(client.client_id)}`;
  const fields = html`${editable(values)}
    <div class="actions">
      <button>Save</button>
      <a class="button plain" href="${ROOT}/${TAB}">Cancel</a>
    </div>`;
  const removal = html`<div class="check">
      <input type="checkbox" id="sure" name="sure" value="yes" required />
      <label for="sure"
        >Yes, delete it. Everything it holds stops working at once, and its id is never given
        again.</label
      >
    </div>
    <button class="danger">Delete this client</button>`;
  const body = html`<section class="card">
      <h1>${client.display_name}</h1>
      <p class="lead">
        <span class="tag">${client.client_type}</span>
        <span class="mono">${client.client_id}</span>, made ${client.create_time}
      </p>
      ${alert(problem)} ${form(place, around.csrf, {}, fields)}
    </section>
    <section class="card">
      <h2>Delete</h2>
      ${form(`${place}/delete`, around.csrf, {}, removal)}
    </section>`;
  return webappPage(around, TAB, client.display_name, body);
}
