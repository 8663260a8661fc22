import { Injectable } from '@nestjs/common';
import type { Caller } from '@libs/auth';
import { NotFound } from '@libs/envelope';
import type { Ldap, Owner } from '../domain/contacts';
import { ContactsStore, type ContactKind } from '../store/contacts.store';
import { contactRecord } from './records';
import { authorOf, RegistryRights } from './registry-rights';

/** Owners and LDAP records: made and deleted, never changed. */
@Injectable()
export class ContactsActions {
  constructor(
    private readonly rights: RegistryRights,
    private readonly contacts: ContactsStore,
  ) {}

  async list(kind: ContactKind) {
    return (await this.contacts.all(kind)).map((row) => contactRecord(row));
  }

  async get(kind: ContactKind, id: string) {
    const row = await this.contacts.find(kind, id);
    if (!row) throw missing(kind, id);
    return contactRecord(row);
  }

  async addOwner(caller: Caller, owner: Owner) {
    await this.rights.assertMayCreate(caller);
    await this.contacts.add('owner', owner, authorOf(caller));
    return this.get('owner', owner.email);
  }

  async addLdap(caller: Caller, ldap: Ldap) {
    await this.rights.assertMayCreate(caller);
    await this.contacts.add('ldap', ldap, authorOf(caller));
    return this.get('ldap', ldap.ldap_id);
  }

  async remove(caller: Caller, kind: ContactKind, id: string): Promise<void> {
    await this.rights.assertMayCreate(caller);
    if (!(await this.contacts.remove(kind, id))) throw missing(kind, id);
  }
}

const missing = (kind: ContactKind, id: string) =>
  new NotFound(`TENANTS_${kind.toUpperCase()}_NOT_FOUND`, `There is no ${kind} "${id}".`, id);
