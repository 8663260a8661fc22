import { defineService } from '@libs/service-kit';
import { AuthenticatorModule } from './authenticator.module';
import { AuthenticatorSettings } from './settings';

/** Lets people in: the OAuth 2.0 server of the tenants of a site. */
export const authenticator = defineService({
  name: 'authenticator',
  prefixes: ['/v3/oauth2'],
  settings: AuthenticatorSettings,
  module: AuthenticatorModule,
  needs: ['postgres', 'sites-tenants', 'security-kernel', 'tokens'],
  helloProbes: true,
  summary: 'OAuth 2.0: tokens for people',
});
