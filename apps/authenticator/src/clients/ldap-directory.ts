import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import {
  Client,
  ConstraintViolationError,
  type Entry,
  InappropriateAuthError,
  InvalidCredentialsError,
  NoSuchObjectError,
  UnwillingToPerformError,
} from 'ldapts';
import { isApiError, Upstream } from '@libs/envelope';
import type { LdapRecord } from '../domain/ldap-names';

const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;
const PAGE = 200;
const ATTRIBUTES = ['*', 'createTimestamp'];

/**
 * How servers say no to a person: a wrong password or name, an entry without a password, one that was locked or
 * disabled there. Told apart, they would tell who exists.
 */
const LET_IN_NOBODY = [
  InvalidCredentialsError,
  NoSuchObjectError,
  InappropriateAuthError,
  ConstraintViolationError,
  UnwillingToPerformError,
];

/** A directory that can be asked while one bind lasts. */
export interface BoundDirectory {
  /** The entry, when there is exactly one. */
  one(base: string, filter: string): Promise<Entry | undefined>;
  /** Page by page until the caller has enough. */
  many(base: string, filter: string): AsyncGenerator<Entry>;
}

/** One LDAP server. Every question has a connection of its own: binds of people and of the reader never mix. */
export class LdapDirectory {
  private readonly url: string;
  private readonly tlsOptions?: ConnectionOptions;

  constructor(
    private readonly record: LdapRecord,
    caFile?: string,
  ) {
    const { url, port, use_ssl } = record;
    const given = new URL(url.includes('://') ? url : `ldap://${url}`);
    const secure = use_ssl || given.protocol === 'ldaps:';
    this.url = `${secure ? 'ldaps' : 'ldap'}://${given.hostname}:${given.port || port}`;
    if (secure && caFile) this.tlsOptions = { ca: readFileSync(caFile) };
  }

  /** Whether this is the password of the entry. An empty one would be no login at all (RFC 4513, 5.1.2). */
  async isPassword(dn: string, password: string): Promise<boolean> {
    if (!dn || !password) return false;
    const client = this.client();
    try {
      await client.bind(dn, password);
      return true;
    } catch (error) {
      if (LET_IN_NOBODY.some((kind) => error instanceof kind)) return false;
      throw this.failed(error);
    } finally {
      await client.unbind().catch(() => undefined);
    }
  }

  /** Asks with the name that the record gives for reading. */
  async ask<T>(password: string, question: (bound: BoundDirectory) => Promise<T>): Promise<T> {
    const client = this.client();
    try {
      await client.bind(this.record.bind_dn, password);
      return await question({
        one: async (base, filter) => {
          const options = { scope: 'sub', filter, attributes: ATTRIBUTES, sizeLimit: 2 } as const;
          const { searchEntries } = await client.search(base, options);
          return searchEntries.length === 1 ? searchEntries[0] : undefined;
        },
        many: (base, filter) => everything(client, base, filter),
      });
    } catch (error) {
      if (isApiError(error)) throw error;
      throw this.failed(error);
    } finally {
      await client.unbind().catch(() => undefined);
    }
  }

  private client(): Client {
    const { url, tlsOptions } = this;
    return new Client({
      url,
      connectTimeout: CONNECT_MS,
      timeout: ANSWER_MS,
      strictDN: false,
      ...(tlsOptions && { tlsOptions }),
    });
  }

  /** Says which directory and what went wrong with it; the server's own text may repeat names, so only its kind. */
  private failed(error: unknown): Upstream {
    const { message, name, code } = error as Error & { code?: string | number };
    const timedOut = /time[d ]*out/i.test(message);
    const why = typeof code === 'string' ? code : name === 'Error' ? message : name;
    return new Upstream(
      'AUTHENTICATOR_LDAP_FAILED',
      `The directory "${this.record.ldap_id}" at ${this.url} can't be asked: ${why}.`,
      { timedOut, cause: error },
    );
  }
}

async function* everything(client: Client, base: string, filter: string): AsyncGenerator<Entry> {
  const options = { scope: 'sub', filter, attributes: ATTRIBUTES } as const;
  for await (const page of client.searchPaginated(base, { ...options, paged: { pageSize: PAGE } }))
    yield* page.searchEntries;
}
