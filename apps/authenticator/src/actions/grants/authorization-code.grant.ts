import { Injectable } from '@nestjs/common';
import { OAuthProblem } from '../../domain/oauth-problem';
import { codeHash } from '../../domain/one-time-code';
import { proves } from '../../domain/pkce';
import { lifetime } from '../../domain/tenant-config';
import { TokenMaker } from '../../clients/token-maker';
import { AuthorizationCodesStore, type CodeRow } from '../../store/authorization-codes.store';
import { IssuedTokensStore } from '../../store/issued-tokens.store';
import { givenBy, TokenIssue } from '../token-issue';
import { clientOf, type Grant, type GrantOutcome, type GrantRequest, needed } from './grant';
import { mayRefresh } from './password.grant';

const invalid = (why: string) => new OAuthProblem('invalid_grant', `The code is refused: ${why}.`);

/** The code that a person's consent gave, once (RFC 6749, 4.1.3; RFC 7636). */
@Injectable()
export class AuthorizationCodeGrant implements Grant {
  constructor(
    private readonly codes: AuthorizationCodesStore,
    private readonly tokens: TokenIssue,
    private readonly maker: TokenMaker,
    private readonly issued: IssuedTokensStore,
  ) {}

  async give(request: GrantRequest): Promise<GrantOutcome> {
    const { input, tenant, address, config } = request;
    const client = clientOf(request);
    const hash = codeHash(needed(input, 'code'));
    const redirectUri = needed(input, 'redirect_uri');
    const code = await this.codes.find(tenant, hash);
    if (!code || code.client_id !== client.client_id)
      throw invalid('it is unknown, or was given to another client');
    request.about(code.username);
    if (code.used || !(await this.fits(request, code, redirectUri)))
      return this.usedAgain(tenant, hash);
    try {
      const pair = await this.tokens.issue(
        { tenant, username: code.username, address },
        {
          grantType: 'authorization_code',
          clientId: client.client_id,
          redirectUri,
          idpId: code.idp_id ?? undefined,
          accessSeconds: lifetime(config, 'access'),
          ...(mayRefresh(request) ? { refreshSeconds: lifetime(config, 'refresh') } : {}),
        },
      );
      if (await this.codes.gave(hash, givenBy(pair))) {
        await this.tokens.takeBack(tenant, pair);
        throw invalid('it was used twice at once');
      }
      const { username, scope, nonce } = code;
      return { pair, username, scope: scope ?? undefined, nonce: nonce ?? undefined };
    } catch (error) {
      await this.codes.giveBack(hash);
      throw error;
    }
  }

  /** Throws unless everything that the code is bound to fits; true when this caller has taken it. */
  private async fits({ input }: GrantRequest, code: CodeRow, redirectUri: string) {
    if (code.expired) throw invalid('it has expired');
    if (redirectUri !== code.redirect_uri)
      throw invalid('redirect_uri is not the one it was sent to');
    const { code_verifier: verifier } = input;
    if (code.code_challenge === null) {
      // a challenge that was taken out on the way must not pass (RFC 9700, 2.1.1)
      if (verifier !== undefined) throw invalid('it was asked for without a code_challenge');
    } else if (!verifier || !proves(verifier, code.code_challenge))
      throw invalid('code_verifier does not fit the code_challenge');
    return this.codes.take(code.code_hash);
  }

  /** Somebody else has it too: whatever it gave ends (RFC 6749, 4.1.2). */
  private async usedAgain(tenant: string, hash: string): Promise<never> {
    const given = await this.codes.usedAgain(hash);
    if (given) {
      await this.maker.revokeIssued(tenant, [given]);
      await this.issued.revoked([given.jti]);
    }
    throw invalid('it was used before; what it gave is revoked');
  }
}
