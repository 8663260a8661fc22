import { Injectable } from '@nestjs/common';
import { OAuthProblem } from '../../domain/oauth-problem';
import { codeHash } from '../../domain/one-time-code';
import { lifetime } from '../../domain/tenant-config';
import { type DeviceRow, DeviceCodesStore } from '../../store/device-codes.store';
import { TokenIssue } from '../token-issue';
import { clientOf, type Grant, type GrantOutcome, type GrantRequest, needed } from './grant';

/** A device asks until its person has answered on a page (RFC 8628, 3.4 and 3.5). */
@Injectable()
export class DeviceCodeGrant implements Grant {
  constructor(
    private readonly codes: DeviceCodesStore,
    private readonly tokens: TokenIssue,
  ) {}

  async give(request: GrantRequest): Promise<GrantOutcome> {
    const { input, tenant, address, config } = request;
    const client = clientOf(request, false);
    const hash = codeHash(needed(input, 'device_code'));
    const code = await this.codes.find(tenant, hash);
    if (!code || code.client_id !== client.client_id || code.state === 'used')
      throw new OAuthProblem(
        'invalid_grant',
        'The device code is refused: it is unknown, used, or was given to another client.',
      );
    if (code.username) request.about(code.username);
    const username = await this.answered(code);
    try {
      const pair = await this.tokens.issue(
        { tenant, username, address },
        {
          grantType: 'device_code',
          clientId: client.client_id,
          idpId: code.idp_id ?? undefined,
          accessSeconds: lifetime(config, 'access', code.access_seconds),
        },
      );
      await this.codes.remove(hash);
      return { pair, username, scope: code.scope ?? undefined };
    } catch (error) {
      await this.codes.giveBack(hash);
      throw error;
    }
  }

  /** Who said yes; throws while nobody has, or somebody said no. */
  private async answered(code: DeviceRow): Promise<string> {
    if (code.expired) throw new OAuthProblem('expired_token', 'The device code has expired.');
    if (code.state === 'denied')
      throw new OAuthProblem('access_denied', 'The user refused the device.');
    if (await this.codes.poll(code.code_hash))
      throw new OAuthProblem('slow_down', 'Device code not ready, and asked for too soon.');
    if (code.state === 'created')
      throw new OAuthProblem('authorization_pending', 'Device code not ready.');
    if (!code.username || !(await this.codes.take(code.code_hash)))
      throw new OAuthProblem('invalid_grant', 'The device code is refused: it was used before.');
    return code.username;
  }
}
