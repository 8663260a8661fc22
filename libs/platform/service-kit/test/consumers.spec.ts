import { Controller, Get, Module } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { Public } from '@libs/auth';
import { ServiceSettings } from '@libs/config';
import { call, PlatformDouble, until } from '@libs/kit';
import { jobsWork, tenantsChanged, tokensRevoked } from '@libs/messages';
import { MessageBus, MessagingModule } from '@libs/messaging';
import { createService, defineService, listen, type Listening, type RunningService } from '../src';

const seen: unknown[] = [];

@Controller('/v3/worker')
class WorkerController {
  @EventPattern(jobsWork, { prefetch: 2 }) async work(@Payload() payload: { uuid: string }) {
    seen.push(payload);
    if (seen.length === 1) throw new Error('again, please');
  }
  @Public() @Get() count() {
    return seen.length;
  }
  @Get('closed') closed() {
    return 'open';
  }
}
@Module({ imports: [MessagingModule], controllers: [WorkerController] })
class WorkerModule {}

const worker = defineService({
  name: 'worker',
  identity: 'jobs',
  prefixes: ['/v3/worker'],
  settings: ServiceSettings,
  module: WorkerModule,
});

let double: PlatformDouble;
let service: RunningService;
let at: Listening;
beforeAll(async () => {
  double = await PlatformDouble.start();
  service = await createService(worker, double.env({ LOG_LEVEL: 'silent' }));
  at = await listen(service.handler, '127.0.0.1', 0);
});
afterAll(async () => {
  await at.close(100);
  await service.close();
  await double.close();
});

it('serves work, again when it failed', async () => {
  await service.get(MessageBus).publish(jobsWork, { uuid: 'u1' });
  await until(() => seen.length === 2);
  expect(seen).toEqual([{ uuid: 'u1' }, { uuid: 'u1' }]);
});

it('refuses a remembered token as soon as it is revoked', async () => {
  const bus = service.get(MessageBus);
  const headers = double.as('testuser1', 'dev', { claims: { jti: 'to-revoke' } });
  const ask = () => call(`${at.url}/v3/worker/closed`, { headers });
  expect((await ask()).status).toBe(200);
  await bus.publish(tokensRevoked, { jti: 'to-revoke', exp: Date.now() / 1000 + 60 });
  const refused = await until(async () => {
    const answer = await ask();
    return answer.status === 401 ? answer : undefined;
  });
  expect(refused.body.message).toBe('SVC_TOKEN_REVOKED The token is revoked');
});

it('hears of new tenants', async () => {
  const bus = service.get(MessageBus);
  const [, dev] = double.directory.tenants;
  double.directory.tenants.push({
    ...dev!,
    tenant_id: 'fresh',
    base_url: 'http://fresh.localhost',
  });
  await bus.publish(tenantsChanged, {});
  await until(
    async () =>
      (await call(`${at.url}/v3/worker/closed`, { headers: double.as('u', 'fresh') })).status ===
      200,
  );
});

it('forgets tokens of a tenant that is no longer there', async () => {
  const headers = double.as('u', 'fresh');
  expect((await call(`${at.url}/v3/worker/closed`, { headers })).status).toBe(200);
  double.directory.tenants.pop();
  const bus = service.get(MessageBus);
  await bus.publish(tenantsChanged, {});
  await until(async () => (await call(`${at.url}/v3/worker/closed`, { headers })).status === 401);
});
