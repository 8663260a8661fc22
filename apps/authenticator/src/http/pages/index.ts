import { AccountPages } from './account.pages';
import { AssetsController } from './assets.controller';
import { AuthorizeController } from './authorize.controller';
import { ClientPages } from './clients.pages';
import { DeviceController } from './device.controller';
import { LoginController } from './login.controller';
import { MfaController } from './mfa.controller';
import { WebappController } from './webapp.controller';

export const PAGE_CONTROLLERS = [
  AssetsController,
  LoginController,
  MfaController,
  AuthorizeController,
  DeviceController,
  WebappController,
  ClientPages,
  AccountPages,
];
