import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Entry } from 'ldapts';
import { LdapDirectory } from '../clients/ldap-directory';
import { LdapRecords } from '../clients/ldap-records';
import {
  isFoundFirst,
  type LdapRecord,
  type LdapSearchRules,
  peopleFilter,
  personFilter,
  placeOf,
  userDn,
} from '../domain/ldap-names';
import { type Profile, profileOf, type UserSource } from '../domain/user-source';
import { AuthenticatorSettings } from '../settings';

/** People of an LDAP directory: a password is right when the directory takes it. */
@Injectable()
export class LdapSource {
  constructor(
    private readonly records: LdapRecords,
    private readonly settings: AuthenticatorSettings,
  ) {}

  async of(ldapId: string, rules: LdapSearchRules = {}): Promise<UserSource> {
    const record = await this.records.record(ldapId);
    const directory = new LdapDirectory(record, this.settings.ldapCaFile);
    const place = placeOf(record);
    const find = async (username: string) => {
      const filter = personFilter(record, rules, username);
      const password = await this.records.password(record);
      const entry = await directory.ask(password, (bound) => bound.one(place.base, filter));
      return entry && shown(entry, place.attribute, username);
    };
    return {
      authenticate: async (username, password) => {
        if (!username || !password) return null;
        const found = isFoundFirst(rules) ? await find(username) : undefined;
        const dn = isFoundFirst(rules) ? (found?.dn ?? nobody(record)) : userDn(record, username);
        if (!(await directory.isPassword(dn, password))) return null;
        return found ?? (await find(username)) ?? null;
      },
      profile: async (username) => (username ? ((await find(username)) ?? null) : null),
      profiles: async (limit, offset) => {
        const filter = peopleFilter(record, rules);
        const password = await this.records.password(record);
        return directory.ask(password, async (bound) => {
          const all: Profile[] = [];
          for await (const entry of bound.many(place.base, filter)) {
            all.push(shown(entry, place.attribute));
            if (all.length >= offset + limit) break;
          }
          return all.slice(offset);
        });
      },
    };
  }
}

/** Somebody who is not there is asked for all the same, so that the answer takes as long. */
const nobody = (record: LdapRecord): string => userDn(record, randomBytes(12).toString('hex'));

/**
 * The directory takes names in any case and with blanks around; here a person has one name: the one written in the
 * entry, whatever was typed.
 */
function shown(entry: Entry, attribute: string, typed?: string): Profile {
  const values = textsOf(entry, attribute);
  const same = (a: string) => a.toLowerCase() === typed?.trim().toLowerCase();
  const username = values.find((v) => v === typed) ?? values.find(same) ?? values[0] ?? entry.dn;
  const first = (name: string) => textsOf(entry, name)[0] ?? null;
  return profileOf(username, {
    dn: entry.dn,
    given_name: first('givenName'),
    last_name: first('sn'),
    email: first('mail'),
    phone: first('telephoneNumber'),
    mobile_phone: first('mobile'),
    create_time: timeOf(first('createTimestamp')),
    uid: first('uid'),
  });
}

/** Attribute names come in the case the server writes them in. */
function textsOf(entry: Entry, name: string): string[] {
  const key = Object.keys(entry).find((k) => k.toLowerCase() === name.toLowerCase());
  const value = key === undefined ? [] : entry[key]!;
  return (Array.isArray(value) ? value : [value]).map(String).filter(Boolean);
}

function timeOf(text: string | null): string | null {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(text ?? '') ?? [];
  return year ? `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z` : null;
}
