import { createHash } from 'node:crypto';
import { platform } from '@libs/platform-name';
import { type Html, html } from './html';
import { SCRIPT } from './script';
import { STYLESHEET } from './stylesheet';

export const ROOT = '/v3/oauth2';
const versionOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);
/** Browsers keep them for good: what changes gets another name. */
export const ASSETS = {
  [`style-${versionOf(STYLESHEET)}.css`]: { type: 'text/css', text: STYLESHEET },
  [`page-${versionOf(SCRIPT)}.js`]: { type: 'text/javascript', text: SCRIPT },
} as const;
const [STYLE_NAME, SCRIPT_NAME] = Object.keys(ASSETS) as [string, string];

export interface Page {
  title: string;
  tenant?: string;
  body: Html;
  /** Pages of the web application have the bar on top, others one card in the middle. */
  bar?: Html;
}

/** A whole document. Tells search engines and other sites nothing. */
export function document({ title, tenant, body, bar }: Page): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · ${platform().capital}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${ROOT}/assets/${STYLE_NAME}" />
        <script defer src="${ROOT}/assets/${SCRIPT_NAME}"></script>
      </head>
      <body>
        ${bar}
        <main class="${bar ? 'wide' : 'narrow'}">${bar ? null : brand(tenant)} ${body}</main>
      </body>
    </html>`;
  return page.text;
}

export const brand = (tenant?: string): Html =>
  html`<p class="brand">
    <svg viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" rx="8" fill="currentColor" />
      <path
        d="M8 18.5 14 8l6 10.5M10.5 18.5h7"
        fill="none"
        stroke="#fff"
        stroke-width="2.2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
    <span>${platform().capital} ${tenant ? html`<small>${tenant}</small>` : null}</span>
  </p>`;

/** A form that posts back here: with the proof that this page made it, and the values that travel along. */
export function form(
  action: string,
  csrf: string,
  fields: Record<string, string | undefined>,
  content: Html,
): Html {
  return html`<form method="post" action="${ROOT}/${action}" autocomplete="on">
    ${hidden({ csrf, ...fields })} ${content}
  </form>`;
}

export function hidden(fields: Record<string, string | undefined>): Html[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}

/** What went wrong, where screen readers hear it at once. */
export const alert = (text: string | undefined): Html | null =>
  text ? html`<div class="note bad" role="alert" id="problem"><p>${text}</p></div>` : null;

export const success = (text: string | undefined): Html | null =>
  text ? html`<div class="note good" role="status"><p>${text}</p></div>` : null;
