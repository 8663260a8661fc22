import { hash } from 'node:crypto';
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Caller, Repeatable } from '@libs/auth';
import { ServiceSettings } from '@libs/config';
import { Database, DatabaseModule, Idempotency, run } from '@libs/database';
import { reply } from '@libs/envelope';
import { Text } from '@libs/fields';
import { call, freshDatabase, PlatformDouble } from '@libs/kit';
import { createService, defineService, listen, type Listening, type RunningService } from '../src';

class CreateNotes1700000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE note (number serial, tenant text, text text)');
  }
  async down(): Promise<void> {}
}

class Note {
  @Text() text!: string;
}

@Controller('/v3/notes')
class NotesController {
  constructor(
    private readonly database: Database,
    private readonly idempotency: Idempotency,
  ) {}

  @Post() create(@Body() { text }: Note, @Caller() { tenant }: Caller) {
    return this.database.transaction(async (tx) => {
      const sql = 'INSERT INTO note (tenant, text) VALUES ($1, $2) RETURNING number';
      const { rows } = await run<{ number: number }>(tx, sql, [tenant, text]);
      const answer = reply('NOTES_CREATED', text, rows[0], { status: 201, etag: 'e' });
      return this.idempotency.answer(tx, answer);
    });
  }
  /** Does no harm when it is done twice, so it leaves the key to the framework. */
  @Post('said') say(@Body() { text }: Note) {
    return reply('NOTES_SAID', text, { at: process.hrtime.bigint().toString() });
  }
  @Repeatable() @Post('asked') ask(@Body() { text }: Note) {
    return reply('NOTES_ASKED', text, { at: process.hrtime.bigint().toString() });
  }
  @Get() count() {
    return this.database.query('SELECT count(*)::int AS notes FROM note');
  }
}

@Module({
  imports: [DatabaseModule.for({ service: 'notes', migrations: [CreateNotes1700000000100] })],
  controllers: [NotesController],
})
class NotesModule {}

const notes = defineService({
  name: 'notes',
  identity: 'systems',
  prefixes: ['/v3/notes'],
  settings: ServiceSettings,
  module: NotesModule,
});

let double: PlatformDouble;
let service: RunningService;
let at: Listening;
const env: Record<string, string | undefined> = {};

async function start(): Promise<void> {
  service = await createService(notes, env);
  at = await listen(service.handler, '127.0.0.1', 0);
}
async function stop(): Promise<void> {
  await at.close(100);
  await service.close();
}
beforeAll(async () => {
  double = await PlatformDouble.start();
  Object.assign(env, double.env({ LOG_LEVEL: 'silent', DATABASE_URL: freshDatabase() }));
  await start();
});
afterAll(async () => {
  await stop();
  await double.close();
});

const post = (key: string | undefined, text: string, user = 'testuser1', query = '') =>
  call(`${at.url}/v3/notes${query}`, {
    headers: { ...double.as(user), ...(key ? { 'Idempotency-Key': key } : {}) },
    body: { text },
  });

it('answers a repeated POST from memory, over a restart too', async () => {
  const first = await post('k1', 'once');
  expect([first.status, first.body.result]).toEqual([201, { number: 1 }]);
  const again = await post('k1', 'once');
  expect([again.status, again.body, again.headers['etag']]).toEqual([201, first.body, '"e"']);
  expect(again.headers['idempotency-replayed']).toBe('true');
  await stop();
  await start();
  expect((await post('k1', 'once')).body.result).toEqual({ number: 1 });
  expect((await post('k1', 'once', 'testuser2')).body.result).toEqual({ number: 2 });
});

it('refuses the key with another body or query', async () => {
  for (const other of [await post('k1', 'twice'), await post('k1', 'once', undefined, '?a=b')])
    expect([other.status, other.body.message.split(' ')[0]]).toEqual([
      409,
      'SVC_IDEMPOTENCY_KEY_REUSED',
    ]);
  expect((await post('x'.repeat(201), 'a')).status).toBe(400);
});

it('keeps the answers of other changes too, but not of what only asks', async () => {
  const send = (path: string, text: string) =>
    call(`${at.url}/v3/notes/${path}`, {
      headers: { ...double.as(), 'Idempotency-Key': 'k9' },
      body: { text },
    });
  const first = await send('said', 'a');
  expect((await send('said', 'a')).body.result).toEqual(first.body.result);
  expect((await send('said', 'b')).status).toBe(409);
  const [one, two] = [await send('asked', 'a'), await send('asked', 'b')];
  expect([one.status, two.status]).toEqual([200, 200]);
  const rows = await service.get(Database).query('SELECT scope, body_hash FROM idempotency');
  expect(JSON.stringify(rows)).not.toContain('asked');
  expect(JSON.stringify(rows)).not.toContain(
    hash('sha256', JSON.stringify({ text: 'a' }), 'base64url'),
  );
});

it('makes one thing of many requests at once', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => post('k2', 'many')));
  expect(new Set(answers.map((a) => a.body.result.number)).size).toBe(1);
  expect(new Set(answers.map((a) => a.status))).toEqual(new Set([201]));
});

it('makes a thing each time without a key', async () => {
  const [a, b] = [await post(undefined, 'x'), await post(undefined, 'x')];
  expect(a.body.result.number).not.toBe(b.body.result.number);
});

it('is ready as long as the database answers', async () => {
  const ready = async () => (await call(`${at.url}/v3/notes/readycheck`)).body.result;
  expect(await ready()).toMatchObject({
    databaseAccess: true,
    queueAccess: true,
    tenantsAccess: true,
  });
  await service.get(Database).close();
  const answer = await call(`${at.url}/v3/notes/readycheck`);
  expect([answer.status, answer.body.status]).toEqual([503, 'error']);
  expect(answer.body.result).toMatchObject({ databaseAccess: false });
});
