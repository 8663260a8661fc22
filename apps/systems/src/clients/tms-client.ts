import { Injectable } from '@nestjs/common';
import { BadInput, Upstream } from '@libs/envelope';
import { request } from 'undici';
import type { StoredCredential } from '../domain/credential';
import { SystemsSettings } from '../settings';

interface NewKeys {
  result_code?: string;
  result_msg?: string;
  private_key?: string;
  public_key?: string;
  public_key_fingerprint?: string;
}

const ANSWER_MS = 20_000;
const FAILED = 'SYSLIB_CRED_TMS_KEYS_ERR';

/** The Trust Manager server of the site: makes key pairs that hosts ask it about at login. */
@Injectable()
export class TmsClient {
  constructor(private readonly settings: SystemsSettings) {}

  /** Throws unless the site has such a server, and lets this tenant have keys made. */
  assertServes(tenant: string): void {
    const { tmsUrl, tmsAllowedTenants } = this.settings;
    if (!tmsUrl)
      throw new BadInput('SYSLIB_CRED_TMS_NOT_CONFIGURED', 'This site has no Trust Manager.');
    if (!tmsAllowedTenants.includes(tenant))
      throw new BadInput(
        'SYSLIB_CRED_TMS_TENANT',
        `Users of tenant ${tenant} may not have keys made by the Trust Manager of this site.`,
      );
  }

  /** A fresh pair, good for the account of the same name on that host. */
  async newKeys(user: string, host: string): Promise<StoredCredential> {
    const { statusCode, keys } = await this.ask({
      client_user_id: user,
      host,
      host_account: user,
      num_uses: -1,
      ttl_minutes: -1,
      key_type: 'ED25519',
    });
    const { private_key, public_key, public_key_fingerprint, result_code, result_msg } = keys;
    const why = `answered ${statusCode} ${result_msg ?? ''}`.trim();
    // 403: the server has no trust of this user in us, or in this account: that is for the user to set up there.
    if (statusCode === 403)
      throw new BadInput(FAILED, `The Trust Manager makes no key for "${user}" on ${host}: ${why}`);
    if (statusCode >= 300 || (result_code ?? '0') !== '0')
      throw new Upstream(FAILED, `The Trust Manager ${why}`);
    if (!private_key || !public_key || !public_key_fingerprint)
      throw new Upstream(FAILED, 'The answer of the Trust Manager has no keys');
    return {
      tmsPrivateKey: private_key,
      tmsPublicKey: public_key,
      tmsFingerprint: public_key_fingerprint,
    };
  }

  private async ask(body: object): Promise<{ statusCode: number; keys: NewKeys }> {
    const { tmsUrl, tmsTenant, tmsClientId, tmsClientSecret } = this.settings;
    try {
      const answer = await request(new URL('/v1/tms/pubkeys/creds', tmsUrl), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'X-TMS-TENANT': tmsTenant,
          'X-TMS-CLIENT-ID': tmsClientId,
          'X-TMS-CLIENT-SECRET': tmsClientSecret ?? '',
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const keys = (await answer.body.json().catch(() => ({}))) as NewKeys;
      return { statusCode: answer.statusCode, keys };
    } catch (error) {
      const { name, message } = error as Error;
      const timedOut = name === 'TimeoutError';
      throw new Upstream(FAILED, `The Trust Manager can't be reached: ${message}`, { timedOut });
    }
  }
}
