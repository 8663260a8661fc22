// Lists of a tenant with 100,000 systems and 100,000 versions of apps, against the same lists with 1,000 of each: the
// first page, a deep page by startAfter, a selective search. Two platforms stand side by side and are asked in turn.
import { Client } from 'pg';
import type { Session } from '@libs/flows';
import { withPlatform, type BenchPlatform } from './bench-platform';
import { main, median, report, say, timed } from './measure';

const MANY = Number(process.env.BENCH_LIST_MANY ?? 100_000);
const FEW = 1_000;
const ROUNDS = 5;
const REQUESTS = 25;
const GOAL = 1.5;
/** So many fit the selective searches, however many there are. */
const SPECIAL = 10;

main(() =>
  withPlatform((large) =>
    withPlatform(async (small) => {
      const [many, few] = [await filled(large, MANY), await filled(small, FEW)];
      const each: Record<string, number> = {};
      const found: Measured[] = [];
      for (const [what, path] of QUESTIONS) {
        await assertSameLength(many, path(MANY), few, path(FEW));
        const measured = await inTurn(
          () => many.ask('GET', path(MANY)),
          () => few.ask('GET', path(FEW)),
        );
        found.push(measured);
        each[what] = Number(measured.ratio.toPrecision(3));
        const [a, b] = [measured.ours, measured.baseline].map((time) => time.toFixed(2));
        say(`  ${what}: ${a} ms, with ${FEW} ${b} ms, ratio ${each[what]}`);
      }
      const worst = found.reduce((a, b) => (b.ratio > a.ratio ? b : a));
      report({ bench: 'list-scale', ...worst, unit: 'ms', goal: GOAL, many: MANY, few: FEW, each });
    }),
  ),
);

interface Measured {
  ratio: number;
  ours: number;
  baseline: number;
}

/** One request of each after the other, so that a slow moment of the machine meets both; medians of several rounds. */
async function inTurn(
  ours: () => Promise<unknown>,
  theirs: () => Promise<unknown>,
): Promise<Measured> {
  const rounds: Measured[] = [];
  // the first round warms both up
  for (let round = 0; round <= ROUNDS; round++) {
    const times: [number[], number[]] = [[], []];
    for (let n = 0; n < REQUESTS; n++)
      for (const which of n % 2 ? [0, 1] : [1, 0])
        times[which]!.push(await timed(which ? theirs : ours));
    const [a, b] = times.map(median) as [number, number];
    if (round) rounds.push({ ratio: a / b, ours: a, baseline: b });
  }
  const of = (name: keyof Measured) => median(rounds.map((round) => round[name]));
  return { ratio: of('ratio'), ours: of('ours'), baseline: of('baseline') };
}

type Path = (count: number) => string;
const search = (condition: string) => `search=${encodeURIComponent(condition)}`;
/** The id that has nine of ten before it. */
const deep = (count: number) => `bulk-${String(Math.floor(count * 0.9)).padStart(6, '0')}`;
const minutesAgo = (count: number) =>
  new Date(Date.UTC(2026, 0, 1) - Math.floor(count * 0.9) * 60_000).toISOString();

const both = (what: string, query: Path): [string, Path][] =>
  ['systems', 'apps'].map((of) => [
    `${of}: ${what}`,
    (count) => `/v3/${of}?limit=50&${query(count)}`,
  ]);

const QUESTIONS: [string, Path][] = [
  ...both('first page', () => ''),
  ...both('first page, newest first', () => 'orderBy=created(desc)'),
  ...both('first page, whoever owns them', () => 'listType=ALL&orderBy=id'),
  ...both('deep page by id', (n) => `orderBy=id&startAfter=${deep(n / 2)}`),
  ...both('deep page by time', (n) => `orderBy=created(desc)&startAfter=${minutesAgo(n / 2)}`),
  ...both('search by tag', () => search('(tags.contains.special)')),
  ...both(
    'search by attribute, newest first',
    () => `orderBy=created(desc)&${search('(description.eq.special)')}`,
  ),
  [
    'systems: search by host',
    () => `/v3/systems?limit=50&${search('(host.eq.special.example.org)')}`,
  ],
  [
    'systems: search by login',
    () => `/v3/systems?limit=50&${search('(effectiveUserId.eq.special)')}`,
  ],
  ['systems: first page by type, backwards', () => '/v3/systems?limit=50&orderBy=systemType(desc)'],
  ['systems: first page by method', () => '/v3/systems?limit=50&orderBy=defaultAuthnMethod'],
  [
    'apps: search by attribute of jobs',
    () => `/v3/apps?limit=50&${search('(execSystemExecDir.eq./special)')}`,
  ],
];

async function assertSameLength(a: Session, ofA: string, b: Session, ofB: string): Promise<void> {
  const [one, other] = [await a.ask<[]>('GET', ofA), await b.ask<[]>('GET', ofB)];
  if (!one.length || one.length !== other.length)
    throw new Error(`${ofA} has ${one.length} records, ${ofB} has ${other.length}`);
}

/** A user with that many systems, and that many versions of half as many apps, in the databases of the platform. */
async function filled({ databaseUrl, host, say: { given, me } }: BenchPlatform, count: number) {
  const session = await me();
  const system = await given.system({ host });
  await session.ask('POST', '/v3/apps', { id: 'model', version: '1', containerImage: 'image:1' });
  const run = async (database: string, ...statements: string[]) => {
    const url = new URL(databaseUrl);
    url.pathname = `/${database}`;
    const client = new Client({ connectionString: url.toString() });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const time = `timestamptz '2026-01-01Z' - i * interval '1 minute'`;
  const id = `'bulk-' || lpad(i::text, 6, '0')`;
  const special = (yes: string, no: string) =>
    `CASE WHEN i <= ${SPECIAL} THEN ${yes} ELSE ${no} END`;
  await run(
    'svc_systems',
    `INSERT INTO systems (tenant, id, owner, system_type, host, enabled, tags, attributes, created, updated)
     SELECT tenant, ${id}, owner, system_type, ${special(`'special.example.org'`, `'h' || i % 1000 || '.example.org'`)}, true,
       ARRAY[${special(`'special'`, `'tag' || i % 1000`)}],
       attributes || jsonb_build_object('description', ${special(`'special'`, `'number ' || i`)},
         'effectiveUserId', ${special(`'special'`, `'login' || i`)}), ${time}, ${time}
     FROM systems, generate_series(1, ${count}) i WHERE id = '${system}'`,
    'VACUUM ANALYZE systems',
  );
  await run(
    'svc_apps',
    `INSERT INTO apps (tenant, id, latest_version, owner, enabled)
     SELECT tenant, ${id}, '2', owner, true FROM apps, generate_series(1, ${count / 2}) i WHERE id = 'model'`,
    `INSERT INTO apps_versions (app_seq_id, tenant, id, owner, enabled, latest, version, version_enabled, locked, tags,
       attributes, created, updated)
     SELECT a.seq_id, a.tenant, a.id, a.owner, true, v = 2, v::text, true, false,
       ARRAY[${special(`'special'`, `'tag' || i % 1000`)}],
       m.attributes || jsonb_build_object('description', ${special(`'special'`, `'number ' || i`)}, 'jobAttributes',
         m.attributes->'jobAttributes' || jsonb_build_object('execSystemExecDir', ${special(`'/special'`, `'/d' || i`)})),
       ${time}, ${time}
     FROM apps a, LATERAL (SELECT nullif(substr(a.id, 6), '')::int) n(i), generate_series(1, 2) v, apps_versions m
     WHERE a.id LIKE 'bulk-%' AND m.id = 'model'`,
    'VACUUM ANALYZE apps',
    'VACUUM ANALYZE apps_versions',
  );
  return session;
}
