import { PlatformProcess, type Reply, type Session } from '@libs/flows';
import { end } from '../fixtures/end';
import { isPublic, nameOf } from '../fixtures/public-routes';
import { fill, type Route, routes, sample, type Schema } from '../fixtures/routes';
import { actingFor, serviceToken } from '../fixtures/tokens';

const BODIES = routes().filter((route) => route.body?.type === 'object');

/** A field somewhere in a body. */
interface Field {
  path: string[];
  schema: Schema;
}

/** Every field of a body, also those of the objects and of the array elements in it. */
function fieldsOf(schema: Schema, path: string[] = []): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const here = { path: [...path, name], schema: part };
    if (part.properties) return [here, ...fieldsOf(part, here.path)];
    if (part.items?.properties) return [here, ...fieldsOf(part.items, [...here.path, '0'])];
    return [here];
  });
}

/** The body with one place in it changed. */
function withValue(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  const inner = (body as Record<string, unknown> | undefined)?.[name];
  if (Array.isArray(body)) return [withValue(inner, rest, value)];
  return { ...(body as object), [name]: withValue(inner, rest, value) };
}

/** Values of another type; a number is no text, and a text that looks like a number is no number. */
function wrongTypes({ type, enum: choices }: Schema): unknown[] {
  if (choices) return [{ not: 'a choice' }, 7];
  switch (type) {
    case 'string':
      return [{ not: 'a text' }, 12345, true, ['text']];
    case 'integer':
    case 'number':
      return ['many', '7', 1.5, {}];
    case 'boolean':
      return ['true', 1, {}];
    case 'array':
      return ['not a list', { 0: 'a' }];
    default:
      return ['not an object', 7, []];
  }
}

describe('a body that is not as it should be', () => {
  let platform: PlatformProcess;
  const callers = new Map<string, Session>();

  beforeAll(async () => {
    platform = await PlatformProcess.start();
    const user = await platform.as('testuser1');
    const services = await Promise.all(
      Object.keys(platform.secrets().servicePasswords).map(async (service) =>
        platform.anonymous().with({
          token: await serviceToken(platform, service),
          headers: actingFor(platform, 'testuser1'),
        }),
      ),
    );
    // who may call it at all: a user, else one of the services
    for (const route of BODIES) {
      const knocks = isPublic(route) ? [platform.anonymous()] : [user, ...services];
      for (const caller of knocks) {
        callers.set(nameOf(route), caller);
        if ((await post(route, { 'no such field': 1 }, caller)).status !== 403) break;
      }
    }
  });
  afterAll(() => end(platform));

  const post = (route: Route, body: unknown, by = callers.get(nameOf(route))!): Promise<Reply> =>
    by.send(route.method, fill(route.path), body);

  /** Sends every body that `spoil` makes of a field; answers those that were not refused by the field's name. */
  const unnamed = async (route: Route, spoil: (field: Field) => unknown[]) => {
    const found: string[] = [];
    const good = sample(route.body!, true);
    for (const field of fieldsOf(route.body!)) {
      for (const value of spoil(field)) {
        const reply = await post(route, withValue(good, field.path, value));
        const name = field.path.findLast((part) => part !== '0')!;
        if (reply.status === 400 && reply.message.includes(name)) continue;
        const sent = JSON.stringify(value).slice(0, 40);
        found.push(
          `${field.path.join('.')} = ${sent}: ${reply.status} ${reply.message.slice(0, 160)}`,
        );
      }
    }
    return found;
  };

  it('has bodies to try', () => {
    expect(BODIES.length).toBeGreaterThan(15);
  });

  it.each(BODIES.map((route) => [nameOf(route), route] as const))(
    '%s: names each field of a wrong type',
    async (_, route) => {
      expect(await unnamed(route, ({ schema }) => wrongTypes(schema))).toEqual([]);
    },
  );

  it.each(BODIES.map((route) => [nameOf(route), route] as const))(
    '%s: names each field that is too long',
    async (_, route) => {
      const long = ({ schema: { type, maxLength } }: Field) =>
        type === 'string' && maxLength ? ['x'.repeat(maxLength + 1)] : [];
      expect(await unnamed(route, long)).toEqual([]);
    },
  );

  it.each(BODIES.map((route) => [nameOf(route), route] as const))(
    '%s: names each unknown field, and all that is wrong in one answer',
    async (_, route) => {
      const good = sample(route.body!, true) as object;
      const objects = fieldsOf(route.body!).filter(({ schema }) => schema.properties);
      for (const path of [[], ...objects.map((field) => field.path)]) {
        const reply = await post(route, withValue(good, [...path, 'surplusField'], 'x'));
        expect([path, reply.status, reply.message]).toEqual([
          path,
          400,
          expect.stringContaining('surplusField'),
        ]);
      }
      const names = Object.keys(route.body!.properties ?? {});
      const all = names.reduce<unknown>(
        (body, name) => withValue(body, [name], wrongTypes(route.body!.properties![name]!)[0]),
        { surplusField: 1 },
      );
      const { status, message } = await post(route, all);
      expect(status).toBe(400);
      for (const name of [...names, 'surplusField']) expect(message).toContain(name);
    },
  );

  it.each(BODIES.map((route) => [nameOf(route), route] as const))(
    '%s: 413 over the limit, 400 for what is no JSON object',
    async (_, route) => {
      const big = await post(route, { big: 'x'.repeat(2 * 1024 * 1024) });
      expect(big.status).toBe(413);
      for (const body of ['{', 'null', '[]', '"text"', '1', '{"a":}', '\u0000']) {
        const { status } = await post(route, body);
        expect([body, status]).toEqual([body, 400]);
      }
    },
  );

  it('names a query parameter that is not the number it should be', async () => {
    const user = await platform.as('testuser1');
    const found: string[] = [];
    for (const route of routes().filter(({ method }) => method === 'GET'))
      for (const { name, schema } of route.parameters.filter((p) => p.in === 'query')) {
        if (schema?.type !== 'integer') continue;
        const reply = await user.call('GET', `${fill(route.path)}?${name}=many`);
        if (reply.status === 403) continue;
        if (reply.status !== 400 || !reply.message.includes(name))
          found.push(`${nameOf(route)}?${name}: ${reply.status} ${reply.message}`);
      }
    expect(found).toEqual([]);
  });
});
