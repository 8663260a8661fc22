import { defineService } from '@libs/service-kit';
import { TokensSettings } from './settings';
import { TokensModule } from './tokens.module';

/** Makes, refreshes and revokes the tokens of a site's tenants. */
export const tokens = defineService({
  name: 'tokens',
  prefixes: ['/v3/tokens'],
  settings: TokensSettings,
  module: TokensModule,
  needs: ['postgres', 'sites-tenants', 'security-kernel'],
  helloProbes: true,
  summary: 'Tokens: make, refresh, revoke',
});
