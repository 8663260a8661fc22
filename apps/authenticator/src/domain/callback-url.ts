/** Schemes that a browser would execute or read from its own disk. */
const NEVER = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:'];

/** Why this cannot be where a browser is sent with a code; undefined when it can. Empty: the client has none. */
export function callbackProblem(text: string): string | undefined {
  if (text === '') return undefined;
  if (!URL.canParse(text)) return 'callback_url: must be an absolute URL';
  const url = new URL(text);
  if (text.includes('#')) return 'callback_url: must not have a fragment';
  if (url.username || url.password) return 'callback_url: must not have a user name or a password';
  if (url.protocol === 'http:' || url.protocol === 'https:') return undefined;
  // apps on a device have schemes of their own, named after a domain (RFC 8252, 7.1)
  if (NEVER.includes(url.protocol) || !url.protocol.includes('.'))
    return 'callback_url: its scheme must be https, http, or one of an app such as org.example.app';
  return undefined;
}
