import { AssetsController } from './assets.controller';
import { AuthorizeController } from './authorize.controller';
import { DeviceController } from './device.controller';
import { LoginController } from './login.controller';
import { MfaController } from './mfa.controller';

export const PAGE_CONTROLLERS = [
  AssetsController,
  LoginController,
  MfaController,
  AuthorizeController,
  DeviceController,
];
