import { Injectable } from '@nestjs/common';
import { Log } from '@libs/service-kit';
import { TokenMaker } from '../clients/token-maker';
import { ClientsStore } from '../store/clients.store';
import { IssuedTokensStore } from '../store/issued-tokens.store';

/** Ends the tokens of clients that were stopped: at once, and where that fails as soon as it can be done. */
@Injectable()
export class ClientEndings {
  constructor(
    private readonly clients: ClientsStore,
    private readonly issued: IssuedTokensStore,
    private readonly tokens: TokenMaker,
    private readonly log: Log,
  ) {}

  /** The client itself is stopped already: it can ask for nothing more, whatever happens here. */
  async end(tenant: string, clientId: string): Promise<void> {
    try {
      for (;;) {
        const tokens = await this.issued.ofClient(tenant, clientId);
        if (!tokens.length) break;
        await this.tokens.revokeIssued(tenant, tokens);
        await this.issued.revoked(tokens.map(({ jti }) => jti));
      }
      await this.clients.ended(tenant, clientId);
    } catch (err) {
      this.log.warn({ err, tenant, clientId }, 'tokens of a stopped client are not revoked yet');
    }
  }

  async endAll(): Promise<void> {
    for (const { tenant, client_id } of await this.clients.ending())
      await this.end(tenant, client_id);
  }
}
