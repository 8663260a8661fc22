import type { EntityManager } from 'typeorm';
import { Conflict, isReply, reply, type Reply } from '@libs/envelope';
import { requestContext } from '@libs/auth';
import { platform } from '@libs/platform-name';
import type { Database } from './database';
import { run } from './rows';

const INSERT =
  'INSERT INTO idempotency (scope, key, body_hash, reply) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING';
/** Days a reply is remembered. */
const KEPT_DAYS = 7;

interface StoredReply {
  body_hash: string;
  reply: Reply<unknown>;
}

/**
 * A POST that is sent again with the same `Idempotency-Key` gets the answer of the first. What makes an object stores
 * the key in the same transaction (`answer`), so there is neither an object without its key nor a key without its
 * object. Other changes do no harm when they are done twice: their key is stored after them (`keep`).
 */
export class Idempotency {
  constructor(private readonly database: Database) {}

  /** Does a request's work, or answers from memory: also when the first request ends while a second already runs. */
  async once(work: () => unknown): Promise<unknown> {
    if (!requestContext()?.idempotency) return work();
    const known = await this.replay();
    if (known) return known;
    try {
      const answer = await work();
      if (isReply(answer)) await this.keep(answer);
      return answer;
    } catch (error) {
      const late = await this.replay();
      if (late) return late;
      throw error;
    }
  }

  /** The last statement of a transaction that creates something: `return idempotency.answer(tx, reply(...))`. */
  async answer<T>(tx: EntityManager, answer: Reply<T>): Promise<Reply<T>> {
    const asked = requestContext()?.idempotency;
    if (!asked) return answer;
    const { count } = await run(tx, INSERT, [
      asked.scope,
      asked.key,
      asked.bodyHash,
      JSON.stringify(answer),
    ]);
    // The same request ran beside this one and was first: undo ours, `once` answers with theirs.
    if (!count)
      throw new Conflict(code('BUSY'), `the request with key ${asked.key} was answered meanwhile`);
    asked.kept = true;
    return answer;
  }

  /** For a change whose handler did not store the key itself. A service repeats only what can be done twice. */
  async keep<T>(answer: Reply<T>): Promise<void> {
    const context = requestContext();
    const asked = context?.idempotency;
    if (!asked || asked.kept || context.caller?.accountType !== 'user') return;
    const values = [asked.scope, asked.key, asked.bodyHash, JSON.stringify(answer)];
    await this.database.query(INSERT, values);
  }

  /** The remembered answer to the running request; undefined if there is none, 409 if the key had another body. */
  async replay(): Promise<Reply<unknown> | undefined> {
    const asked = requestContext()?.idempotency;
    if (!asked) return undefined;
    const [stored] = await this.database.query<StoredReply>(
      'SELECT body_hash, reply FROM idempotency WHERE scope = $1 AND key = $2',
      [asked.scope, asked.key],
    );
    if (!stored) return undefined;
    if (stored.body_hash !== asked.bodyHash) {
      throw new Conflict(code('REUSED'), `key ${asked.key} was used with another body or query`);
    }
    const { code: first, text, result, ...options } = stored.reply;
    const headers = { ...options.headers, 'Idempotency-Replayed': 'true' };
    return reply(first, text, result, { ...options, headers });
  }

  async forgetOld(): Promise<void> {
    await this.database.query(
      `DELETE FROM idempotency WHERE created_at < now() - interval '${KEPT_DAYS} days'`,
    );
  }
}

const code = (name: string): string => `${platform().upper}_IDEMPOTENCY_KEY_${name}`;
