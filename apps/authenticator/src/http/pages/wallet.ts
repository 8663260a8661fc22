import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PageSigner } from '../../actions/page-signer';
import type { Granted } from '../../actions/token-grants';
import { cookieOf, setCookie } from './cookies';

const ACCESS = 'access';
const REFRESH = 'refresh';
const PATH = '/webapp';

export interface Kept {
  access: string;
  life: number;
  refresh?: string;
}

/**
 * The tokens of the web application lie in the browser they belong to, sealed so that only we can read them: no table
 * holds them, and scripts never see a refresh token.
 */
@Injectable()
export class Wallet {
  constructor(private readonly signer: PageSigner) {}

  /** Undefined when there are none, or those of somebody else. */
  read(request: Request, who: string): Kept | undefined {
    const open = (name: string) => {
      const text = this.signer.open(name, cookieOf(request, name));
      return text ? (JSON.parse(text) as { who: string; token: string; life: number }) : undefined;
    };
    const [access, refresh] = [open(ACCESS), open(REFRESH)];
    if (access?.who !== who) return undefined;
    const { token, life } = access;
    return { access: token, life, refresh: refresh?.who === who ? refresh.token : undefined };
  }

  keep(response: Response, who: string, granted: Granted, secure: boolean): void {
    const put = (name: string, token: string, life: number) => {
      const sealed = this.signer.seal(name, JSON.stringify({ who, token, life }));
      setCookie(response, name, sealed, { secure, path: PATH });
    };
    const { access_token: access, refresh_token: refresh } = granted;
    put(ACCESS, access.access_token, access.expires_in);
    if (refresh) put(REFRESH, refresh.refresh_token, refresh.expires_in);
    else setCookie(response, REFRESH, '', { secure, path: PATH });
  }

  empty(response: Response, secure: boolean): void {
    for (const name of [ACCESS, REFRESH]) setCookie(response, name, '', { secure, path: PATH });
  }
}
