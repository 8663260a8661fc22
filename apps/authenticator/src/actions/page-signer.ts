import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Signer } from '../domain/signed';
import { AuthenticatorSettings } from '../settings';

/** Signs what browsers keep, the same in every process of the service: its key follows from the service's password. */
@Injectable()
export class PageSigner extends Signer {
  constructor(settings: AuthenticatorSettings) {
    super(settings.servicePassword ?? randomBytes(32).toString('hex'));
  }
}
