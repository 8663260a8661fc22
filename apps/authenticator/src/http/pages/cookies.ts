import type { Request, Response } from 'express';
import { platform } from '@libs/platform-name';
import { ROOT } from '../../views/layout';

export interface CookieOptions {
  /** Below `/v3/oauth2`; everywhere there unless given. */
  path?: string;
  /** Until the browser is closed unless given. */
  seconds?: number;
  secure: boolean;
}

/** `session` is `svc_session`: hosts are shared with whatever else runs there. */
const fullName = (name: string): string => `${platform().lower}_${name}`;

export function cookieOf({ headers }: Request, name: string): string | undefined {
  const start = `${fullName(name)}=`;
  const found = (headers.cookie ?? '').split(/;\s*/).find((part) => part.startsWith(start));
  return found?.slice(start.length) || undefined;
}

/** Scripts can't read it, and other sites' forms don't send it. An empty value takes it away. */
export function setCookie(
  response: Response,
  name: string,
  value: string,
  { path = '', seconds, secure }: CookieOptions,
): void {
  const age = value ? seconds : 0;
  const parts = [
    `${fullName(name)}=${value}`,
    `Path=${ROOT}${path}`,
    ...(age === undefined ? [] : [`Max-Age=${age}`]),
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
  ];
  const name_ = `${fullName(name)}=`;
  const before = [response.getHeader('Set-Cookie') ?? []].flat().map(String);
  const others = before.filter((text) => !(text.startsWith(name_) && text.includes(parts[1]!)));
  response.setHeader('Set-Cookie', [...others, parts.join('; ')]);
}
