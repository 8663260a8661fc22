import { Injectable } from '@nestjs/common';
import {
  type AuthEventFilter,
  type AuthEventRecord,
  AuthEventsStore,
} from '../store/auth-events.store';

/** The record of who was let in and who was not, for the administrators of a tenant. */
@Injectable()
export class AuthEvents {
  constructor(private readonly store: AuthEventsStore) {}

  /** The newest first. */
  list(tenant: string, filter: AuthEventFilter): Promise<AuthEventRecord[]> {
    return this.store.list(tenant, filter);
  }
}
