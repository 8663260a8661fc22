import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Controller,
  Get,
  Inject,
  Module,
  type OnApplicationShutdown,
  Post,
  Req,
} from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '@libs/auth';
import { ServiceSettings } from '@libs/config';
import { call, PlatformDouble } from '@libs/kit';
import {
  defineService,
  inOrderOfNeed,
  listen,
  proxyListener,
  runAll,
  ServiceIdentity,
  type RunningSite,
  type ServiceDefinition,
} from '../src';

const events: string[] = [];

function tiny(name: string, needs: string[], prefixes = [`/v3/${name}`]): ServiceDefinition {
  @Public()
  @Controller(prefixes[0]!)
  class TinyController implements OnApplicationShutdown {
    constructor(
      @Inject(ServiceIdentity) private readonly identity: ServiceIdentity,
      @Inject(ServiceSettings) private readonly settings: ServiceSettings,
    ) {
      events.push(`start ${name}`);
    }
    @Get() who() {
      return { name: this.identity.name, password: this.settings.servicePassword };
    }
    @Get('slow') async slow() {
      await new Promise((done) => setTimeout(done, 150));
      return 'slow';
    }
    @Get('address') address(@Req() { headers }: Request) {
      return headers['x-forwarded-for'];
    }
    @Post('echo') async echo(@Req() request: Request) {
      let size = 0;
      for await (const chunk of request) size += (chunk as Buffer).length;
      return { size };
    }
    onApplicationShutdown() {
      events.push(`stop ${name}`);
    }
  }
  @Module({ controllers: [TinyController] })
  class TinyModule {}
  return defineService({ name, prefixes, needs, settings: ServiceSettings, module: TinyModule });
}

let double: PlatformDouble;
beforeAll(async () => {
  double = await PlatformDouble.start();
});
afterAll(() => double.close());
beforeEach(() => events.splice(0));

const options = { host: '127.0.0.1', port: 0 };
const start = (definitions: ServiceDefinition[], more = {}): Promise<RunningSite> =>
  runAll(
    definitions,
    (d) => double.env({ LOG_LEVEL: 'silent', SERVICE_PASSWORD: `password of ${d.name}` }),
    { ...options, ...more },
  );

it('runs services behind one listener, each with its own settings', async () => {
  const site = await start([
    tiny('beta', ['alpha']),
    tiny('alpha', ['postgres']),
    tiny('alphabet', []),
  ]);
  try {
    for (const name of ['alpha', 'beta', 'alphabet'])
      expect((await call(`${site.url}/v3/${name}`)).body.result).toEqual({
        name,
        password: `password of ${name}`,
      });
    expect(events.indexOf('start alpha')).toBeLessThan(events.indexOf('start beta'));
    expect((await call(`${site.url}/v3/alpha?x=1`)).status).toBe(200);
    expect(await call(`${site.url}/v3/alphab`)).toMatchObject({
      status: 404,
      body: { status: 'error', result: null },
    });
    const metrics = await call(`${site.url}/metrics`);
    expect(metrics.text).toMatch(/http_request_duration_seconds_count\{[^}]*service="alphabet"/);
    expect(metrics.text.match(/# TYPE http_request_duration_seconds /g)).toHaveLength(1);
    const page = await call(`${site.url}/docs/`);
    expect(page.text).toContain('/v3/alphabet/openapi.json');
    expect((await call(`${site.url}/docs/swagger-ui.css`)).headers['content-type']).toBe(
      'text/css',
    );
    expect((await call(`${site.url}/docs/../package.json`)).status).toBe(404);
  } finally {
    await site.close();
  }
});

it('finishes what runs, then closes whoever needs others first', async () => {
  const site = await start([tiny('base', []), tiny('user', ['base'])]);
  const slow = call(`${site.url}/v3/base/slow`);
  await new Promise((done) => setTimeout(done, 30));
  await site.close();
  expect((await slow).body.result).toBe('slow');
  expect(events.filter((e) => e.startsWith('stop'))).toEqual(['stop user', 'stop base']);
});

it('says which setting to change when the port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => other.once('listening', done));
  const { port } = other.address() as AddressInfo;
  await expect(start([tiny('one', [])], { port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is taken: choose another one with the setting PORT`,
  );
  other.close();
});

it('closes what had started when one service fails', async () => {
  const broken: ServiceDefinition = {
    ...tiny('broken', ['fine']),
    settings: class extends ServiceSettings {},
  };
  const failing = runAll(
    [tiny('fine', []), broken],
    (d) => double.env({ LOG_LEVEL: d.name === 'broken' ? 'shout' : 'silent' }),
    options,
  );
  await expect(failing).rejects.toThrow(/LOG_LEVEL/);
  expect(events).toContain('stop fine');
});

it('refuses services that need each other', () => {
  expect(() => inOrderOfNeed([tiny('a', ['b']), tiny('b', ['a'])])).toThrow('a → b → a');
});

describe('a front for services of their own', () => {
  it('streams to the process of the prefix, and says when it is away', async () => {
    const site = await start([tiny('one', [])]);
    let target: string | undefined = site.url;
    const front = await listen(
      proxyListener([
        { prefix: '/v3/one', target: () => target },
        { prefix: '/v3/gone', target: () => 'http://127.0.0.1:9' },
      ]),
      '127.0.0.1',
      0,
    );
    try {
      const first = await call(`${front.url}/v3/one`, { headers: { 'x-request-id': 'id-1' } });
      expect(first.body.result.name).toBe('one');
      expect(first.headers['x-request-id']).toBe('id-1');
      const headers = { 'x-forwarded-for': '10.0.0.1' };
      const seen = await call(`${front.url}/v3/one/address`, { headers });
      expect(seen.body.result).toBe('10.0.0.1, 127.0.0.1');
      const body = Buffer.alloc(3_000_000, 'x');
      const echo = await call(`${front.url}/v3/one/echo`, { method: 'POST', body });
      expect(echo.body.result).toEqual({ size: 3_000_000 });
      expect((await call(`${front.url}/v3/gone`)).status).toBe(503);
      expect((await call(`${front.url}/v3/nothing`)).status).toBe(404);
      target = undefined;
      expect((await call(`${front.url}/v3/one`)).body.status).toBe('error');
    } finally {
      await front.close(100);
      await site.close();
    }
  });
});
