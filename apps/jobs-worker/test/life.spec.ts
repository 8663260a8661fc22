import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sshd, until } from '@libs/kit';
import { World } from './world';

let world: World;
beforeAll(async () => {
  world = await World.start();
  await world.work();
});
afterAll(() => world?.close());
afterEach(() => {
  world.resetSystem();
  world.holdTransfers = false;
  world.failTransfers = undefined;
});

const arg = (text: string) => ({ name: null, description: null, arg: text, notes: null });
const variable = (key: string, value: string) => ({ key, value, description: null, notes: null });
const input = (sourceUrl: string, targetPath: string, more = {}) => ({
  name: null, description: null, envKey: null, autoMountLocal: true, sourceUrl, targetPath, notes: null,
  optional: false, srcSharedAppCtx: '', destSharedAppCtx: '', ...more,
}); // prettier-ignore

it('runs a job from PENDING to FINISHED', async () => {
  const job = await world.submit('echo run >>counter; echo "hello $1 $GREETING"', {
    definition: {
      parameterSet: {
        appArgs: [arg("'big  world'")],
        envVariables: [variable('GREETING', 'h$i')],
      },
    },
  });
  const done = await world.reaches(job, 'FINISHED');
  expect(await world.history(job)).toEqual([
    'PENDING', 'PROCESSING_INPUTS', 'STAGING_INPUTS', 'STAGING_JOB', 'SUBMITTING_JOB', 'QUEUED', 'RUNNING',
    'ARCHIVING', 'FINISHED',
  ]); // prettier-ignore
  expect(done).toMatchObject({
    condition: 'NORMAL_COMPLETION',
    remoteOutcome: 'FINISHED',
    remoteResultInfo: '0',
    remoteJobId: expect.stringMatching(/^\d+$/),
    remoteSubmitted: expect.any(Date),
    remoteStarted: expect.any(Date),
    remoteEnded: expect.any(Date),
    claimedBy: null,
    nextCheckAt: null,
  });
  expect(world.launches(job)).toBe(1);
  expect(world.output(job)).toBe('hello big  world h$i\n');
  const outputs = readdirSync(world.path(job, 'output')).sort();
  expect(outputs).toEqual(['svcjob.env', 'svcjob.exitcode', 'svcjob.out', 'svcjob.sh']);
  expect(readdirSync(world.path(job)).filter((f) => f.startsWith('.'))).toEqual([]);
});

it('says with which code an app failed', async () => {
  const job = await world.submit('exit 3');
  const done = await world.reaches(job, 'FAILED');
  expect(done).toMatchObject({
    condition: 'JOB_REMOTE_OUTCOME_ERROR',
    remoteOutcome: 'FAILED',
    remoteResultInfo: '3',
    lastMessage: 'The application ended with exit code 3',
  });
  expect(world.exists(job, 'output', 'svcjob.sh')).toBe(true);
});

it.each(['SKIP_ON_FAIL', 'NEVER'] as const)(
  'archives nothing of a failed app with %s',
  async (archiveMode) => {
    const job = await world.submit('exit 3', {
      archiveMode,
      archiveSystemId: 'store',
      archiveSystemDir: '/a',
    });
    const done = await world.reaches(job, 'FAILED');
    expect(done).toMatchObject({
      condition: 'JOB_REMOTE_OUTCOME_ERROR',
      remoteOutcome: 'FAILED_SKIP_ARCHIVE',
      archiveTransactionId: null,
    });
  },
);

it('stages inputs by one transfer, whatever their names hold', async () => {
  writeFileSync(join(world.dir('data'), "it's 100% a?b#c"), 'one\n');
  writeFileSync(join(world.dir('data', 'dir'), 'two'), 'two\n');
  const program = `cat "in put/one" dir/two; echo $LOCAL`;
  const job = await world.submit(program, {
    definition: {
      fileInputs: [
        input(`svc://host/data/${encodeURIComponent("it's 100% a?b#c")}`, 'in put/one'),
        input('svc://host/data/dir', 'dir'),
        input('svclocal://exec.svc/data', 'local'),
      ],
    },
  });
  const done = await world.reaches(job, 'FINISHED');
  expect(world.output(job)).toBe('one\ntwo\n\n');
  const transfer = world.transfers.get(`${job.uuid}:input`)!;
  expect(transfer).toMatchObject({ tag: `${job.uuid}:input`, status: 'COMPLETED' });
  expect(transfer.elements).toHaveLength(2);
  expect(done).toMatchObject({
    inputTransactionId: transfer.uuid,
    inputCorrelationId: `${job.uuid}:input`,
  });
  const events = await world.store.history('dev', job.uuid);
  expect(
    events.filter((e) => e.event === 'JOB_INPUT_TRANSACTION_ID').map((e) => e.eventDetail),
  ).toEqual(['ACCEPTED', 'COMPLETED']);
});

it('waits for a transfer whose end is not told', async () => {
  world.holdTransfers = true;
  writeFileSync(join(world.dir('data'), 'x'), 'x\n');
  const job = await world.submit('cat x', {
    definition: { fileInputs: [input('svc://host/data/x', 'x')] },
  });
  const transfer = await waitForTransfer(`${job.uuid}:input`);
  await world.reaches(job, 'STAGING_INPUTS');
  world.holdTransfers = false;
  const told = world.workers.splice(0);
  await world.carryOut(transfer);
  world.workers.push(...told);
  await world.reaches(job, 'FINISHED');
});
const waitForTransfer = (tag: string) => until(() => world.transfers.get(tag));

it('fails with the transfer’s own words', async () => {
  world.failTransfers = 'FILES_TXFR_SVC_SRCPATH_NOTFOUND svc://host/none is not there';
  const job = await world.submit('true', {
    definition: { fileInputs: [input('svc://host/none', 'x')] },
  });
  expect(await world.reaches(job, 'FAILED')).toMatchObject({
    condition: 'JOB_TRANSFER_FAILED_OR_CANCELLED',
    lastMessage: expect.stringContaining('svc://host/none is not there'),
  });
});

it('fetches an app whose image is a URL, and removes it afterwards', async () => {
  const image = world.zip('echo fetched');
  const url = `svc://host${image.slice(world.host.root.length)}`;
  const job = await world.submit('', { definition: { app: { containerImage: url } } });
  const done = await world.reaches(job, 'FINISHED');
  expect(world.output(job)).toBe('fetched\n');
  expect(done.stageAppTransactionId).toBe(world.transfers.get(`${job.uuid}:app`)!.uuid);
  expect(world.exists(job, 'app.tgz')).toBe(false);
  const kept = await world.submit('', {
    definition: {
      app: { containerImage: url },
      parameterSet: { containerArgs: [arg('--svc-zip-save')] },
    },
  });
  await world.reaches(kept, 'FINISHED');
  expect(world.exists(kept, 'app.tgz')).toBe(true);
});

describe('an archive elsewhere', () => {
  const store = { archiveSystemId: 'store', archiveSystemDir: '/my archive' };
  const archived = (name = '') => join(world.host.root, 'systems', 'store', 'my archive', name);
  const program = `cd output; mkdir -p sub/deep; echo 1 >a.txt; echo 2 >sub/b.txt; echo 3 >sub/deep/c.log; ln -s a.txt link.txt; echo 4 >'odd $name;'`;
  const listing = (dir = archived(), prefix = ''): string[] =>
    readdirSync(dir, { withFileTypes: true })
      .flatMap((e) => (e.isDirectory() ? listing(join(dir, e.name), `${prefix}${e.name}/`) : [`${prefix}${e.name}`]))
      .sort(); // prettier-ignore
  afterEach(() => world.remove(archived()));

  it('gets the whole output directory and the launch files', async () => {
    const job = await world.submit(program, store);
    const done = await world.reaches(job, 'FINISHED');
    expect(listing()).toEqual([
      'a.txt', 'link.txt', 'odd $name;', 'sub/b.txt', 'sub/deep/c.log', 'svcjob.env', 'svcjob.exitcode', 'svcjob.out',
      'svcjob.sh',
    ]); // prettier-ignore
    expect(world.made).toContain('store:/my archive');
    for (const file of ['svcjob.env', 'svcjob.sh'])
      expect(world.changed).toContain(`CHMOD o-rwx store:/my archive/${file}`);
    expect(done.archiveTransactionId).toBe(world.transfers.get(`${job.uuid}:archive`)!.uuid);
    expect(readFileSync(archived('svcjob.sh'), 'utf8')).toContain(job.uuid);
    expect(readdirSync(world.path(job)).filter((f) => f.startsWith('.'))).toEqual([]);
  });

  it.each([
    [
      { includes: ['**/*.txt', 'REGEX:.*\\$name;'], includeLaunchFiles: false },
      ['odd $name;', 'sub/b.txt'],
    ],
    [
      { includes: ['**/*'], excludes: ['svcjob.*', 'sub/**'], includeLaunchFiles: false },
      ['a.txt', 'link.txt', 'odd $name;'],
    ],
    [{ includes: ['*.txt'] }, ['a.txt', 'link.txt', 'svcjob.env', 'svcjob.sh']],
    [{ includes: ['nothing'] }, ['svcjob.env', 'svcjob.sh']],
  ])('gets what the filter %j selects', async (archiveFilter, files) => {
    const job = await world.submit(program, {
      ...store,
      definition: { parameterSet: { archiveFilter } },
    });
    await world.reaches(job, 'FINISHED');
    expect(listing()).toEqual(files);
    expect(existsSync(world.path(job, 'output', `.svcjob-${job.uuid}-archive`))).toBe(false);
  });

  it('gets nothing at all when nothing is selected', async () => {
    const archiveFilter = { includes: ['nothing'], includeLaunchFiles: false };
    const job = await world.submit(program, {
      ...store,
      definition: { parameterSet: { archiveFilter } },
    });
    await world.reaches(job, 'FINISHED');
    expect(world.transfers.has(`${job.uuid}:archive`)).toBe(false);
  });

  it('does not get the launch’s own folder when everything is in one directory', async () => {
    const dir = '/flat';
    const job = await world.submit('echo flat', {
      ...store, execSystemExecDir: dir, execSystemInputDir: dir, execSystemOutputDir: dir,
    }); // prettier-ignore
    await world.reaches(job, 'FINISHED');
    expect(listing().filter((f) => f.startsWith('.'))).toEqual([]);
    expect(listing()).toEqual(expect.arrayContaining(['svcjob.out', 'svcjob_app.sh', 'svcjob.sh']));
  });
});

it('goes through a data transfer node', async () => {
  writeFileSync(join(world.dir('data'), 'far'), 'far\n');
  const job = await world.submit('cat near; echo out >output/result', {
    dtnSystemId: 'host',
    dtnSystemInputDir: '/dtn/in',
    dtnSystemOutputDir: '/dtn/out',
    archiveSystemId: 'store',
    archiveSystemDir: '/by-dtn',
    definition: { fileInputs: [input('svc://host/data/far', 'near')] },
  });
  const done = await world.reaches(job, 'FINISHED');
  expect(world.transfers.get(`${job.uuid}:input`)!.elements[0]!.destinationURI).toBe(
    'svc://host/dtn/in/near',
  );
  expect(readdirSync(join(world.host.root, 'dtn/in'))).toEqual([]);
  expect(readdirSync(join(world.host.root, 'systems/store/by-dtn')).sort()).toEqual([
    'result', 'svcjob.env', 'svcjob.exitcode', 'svcjob.out', 'svcjob.sh',
  ]); // prettier-ignore
  expect([done.dtnInputTransactionId, done.dtnOutputTransactionId]).toEqual([
    expect.any(String),
    expect.any(String),
  ]);
});

it('pins the key of a host that has none pinned', async () => {
  const fresh = await sshd();
  const { port, privateKey, root } = fresh;
  const authnCredential = { authnMethod: 'PKI_KEYS', privateKey };
  world.system = { ...world.system, port, rootDir: root, hostKeys: [], authnCredential };
  const job = await world.submit('true', { execSystemId: 'fresh', archiveSystemId: 'fresh' });
  await world.reaches(job, 'FINISHED');
  expect(world.system.hostKeys).toEqual([fresh.hostKey]);
  await fresh.close();
});

describe('a job that can’t be launched says why', () => {
  it.each([
    ['an archive without a program', { containerImage: '' }, /neither svcjob_app.sh nor/],
    ['an image that is not there', { containerImage: '/no/such.zip' }, /no file \/no\/such.zip/],
    ['an unknown runtime', { runtime: 'SINGULARITY' as const }, /SINGULARITY apps can't run/],
  ])('%s', async (_what, app, text) => {
    const empty = join(world.dir('empty'), 'empty.tar');
    writeFileSync(empty, Buffer.alloc(10_240));
    const containerImage = ('containerImage' in app && app.containerImage) || empty;
    const job = await world.submit('', { definition: { app: { ...app, containerImage } } });
    const done = await world.reaches(job, 'FAILED');
    expect(done.lastMessage).toMatch(text);
  });

  it('a directory that can’t be made', async () => {
    writeFileSync(join(world.host.root, 'file'), '');
    const job = await world.submit('true', { execSystemExecDir: '/file/x' });
    expect(await world.reaches(job, 'FAILED')).toMatchObject({
      condition: 'JOB_REMOTE_ACCESS_ERROR',
      lastMessage: expect.stringContaining('Not a directory'),
    });
  });
});
