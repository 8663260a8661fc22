import { Injectable } from '@nestjs/common';
import type { TenantEntry } from '@libs/auth';
import { BadInput, Forbidden } from '@libs/envelope';
import { isStorable } from '@libs/fields';
import type { Request, Response } from 'express';
import { type Arrival, BrowserLogins, type BrowserSession } from '../../actions/browser-logins';
import { PageSigner } from '../../actions/page-signer';
import type { AuthorizedUser } from '../../domain/authorization';
import { type Flow, flowOf, withFlow } from '../../domain/login-flow';
import { document, type Page, ROOT } from '../../views/layout';
import { RequestSource } from '../request-source';
import { cookieOf, setCookie } from './cookies';

const SESSION = 'session';
const FORM = 'form';
const FACTOR = 'factor';

/** One browser at one tenant: its id, who is logged in with it, and the proof its forms carry. */
export interface Browser {
  tenant: TenantEntry;
  address: string;
  id: string;
  csrf: string;
  session?: BrowserSession;
  /** Cookies go over TLS alone where the tenant is reached by it. */
  secure: boolean;
  flow: Flow;
}

/** Somebody who is logged in, second factor included. */
export type LoggedIn = Browser & { session: BrowserSession; user: AuthorizedUser };

/** What every page does: knows its browser, checks its forms, sends its HTML with the headers that protect it. */
@Injectable()
export class Pages {
  constructor(
    private readonly source: RequestSource,
    private readonly logins: BrowserLogins,
    private readonly signer: PageSigner,
  ) {}

  async open(request: Request, response: Response): Promise<Browser> {
    const tenant = await this.source.tenant(request);
    const [known = '', mac = ''] = (cookieOf(request, SESSION) ?? '').split('.');
    const good = !!known && this.signer.isMac(SESSION, known, mac);
    const id = good ? known : this.logins.newId();
    const secure = tenant.base_url.startsWith('https:');
    if (!good) this.keepId(response, id, secure);
    return {
      tenant,
      address: this.source.address(request),
      id,
      csrf: this.signer.mac(FORM, id),
      session: good ? await this.logins.find(id, tenant.tenant_id) : undefined,
      secure,
      flow: flowOf(request.method === 'POST' ? request.body : request.query),
    };
  }

  /** The browser behind a form that one of our pages made for it, and the form's values. */
  async form(
    request: Request,
    response: Response,
  ): Promise<Browser & { value: (name: string) => string }> {
    assertTyped(request.body);
    const browser = await this.open(request, response);
    const values = (request.body ?? {}) as Record<string, unknown>;
    const value = (name: string) => (typeof values[name] === 'string' ? values[name] : '');
    if (!this.signer.isMac(FORM, browser.id, value('csrf')))
      throw new Forbidden(
        'AUTHENTICATOR_FORM',
        'This form was not made for this browser, or cookies are off. Go back, reload the page and try again.',
      );
    return { ...browser, value };
  }

  /** Who is logged in; undefined when the browser was sent to a page that comes first. */
  loggedIn<B extends Browser>(
    browser: B,
    response: Response,
    to?: Flow['to'],
  ): (B & LoggedIn) | undefined {
    const { session, flow } = browser;
    if (session?.complete) {
      const user = { username: session.username, idpId: session.idp_id ?? undefined };
      return { ...browser, session, user };
    }
    this.go(response, withFlow(session ? 'mfa' : 'login', { ...flow, ...(to && { to }) }));
    return undefined;
  }

  /** Another id for somebody who has shown who they are; true when nothing more is to be shown. */
  async arrive(request: Request, response: Response, browser: Browser, who: Arrival) {
    const { id, complete } = await this.logins.signIn(
      browser.id,
      who,
      cookieOf(request, FACTOR),
      browser.address,
    );
    this.keepId(response, id, browser.secure);
    return complete;
  }

  /** After the second factor. */
  async complete(response: Response, browser: Browser & { session: BrowserSession }) {
    const { session, secure } = browser;
    const id = await this.logins.complete(browser.id, session, browser.address);
    this.keepId(response, id, secure);
    const shown = await this.logins.shownFactor({
      tenant: session.tenant,
      username: session.username,
    });
    if (shown) setCookie(response, FACTOR, shown.value, { secure, seconds: shown.seconds });
    return { ...browser, id, csrf: this.signer.mac(FORM, id) };
  }

  async leave(response: Response, { id, secure }: Browser): Promise<void> {
    await this.logins.end(id);
    setCookie(response, SESSION, '', { secure });
  }

  /** To a page of ours, named below `/v3/oauth2`. */
  go(response: Response, page: string): void {
    this.away(response, `${ROOT}/${page}`);
  }

  /** To an address that was checked before: a client's own, or an outside provider's. */
  away(response: Response, url: string): void {
    guard(response);
    const status = response.req.method === 'POST' ? 303 : 302;
    response.status(status).setHeader('Location', url).end();
  }

  /** `leadsTo`: where, besides here, an answer to a form of the page may lead. */
  send(
    response: Response,
    page: Page,
    { status = 200, leadsTo }: { status?: number; leadsTo?: string } = {},
  ): void {
    guard(response, leadsTo);
    response.status(status).type('html').send(document(page));
  }

  private keepId(response: Response, id: string, secure: boolean): void {
    setCookie(response, SESSION, `${id}.${this.signer.mac(SESSION, id)}`, { secure });
  }
}

/** What no keyboard makes, databases don't take. */
function assertTyped(form: unknown): void {
  for (const [name, value] of Object.entries(form ?? {}))
    if (typeof value === 'string' && !isStorable(value))
      throw new BadInput(
        'AUTHENTICATOR_FORM',
        `The field "${name}" has a NUL or a broken character.`,
      );
}

/** Nothing from elsewhere is run, nothing shows the page in a frame, nobody keeps a copy. */
export function guard(response: Response, leadsTo?: string): void {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    `form-action 'self'${leadsTo ? ` ${leadsTo}` : ''}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  response.setHeader('Content-Security-Policy', policy.join('; '));
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
}
