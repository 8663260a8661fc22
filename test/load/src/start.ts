// `npm start -- --once` on an installed clone with an empty data folder: the time to the end of the sample job, and
// the memory of a platform that has run the sample and idles. There is nothing to compare with: the baseline is the goal.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { main, median, report, say } from './measure';
import { memoryOf } from './processes';

const ROOT = resolve(__dirname, '../../../..');
const START_GOAL_S = 10;
const MEMORY_GOAL_MB = 350;
/** Longer than connections to the database live unused. */
const IDLE_MS = 20_000;

main(async () => {
  const times: { sample: number; exit: number }[] = [];
  for (let round = 0; round < 3; round++) times.push(await once());
  const sample = median(times.map((t) => t.sample));
  report({
    bench: 'start',
    ratio: sample / START_GOAL_S,
    ours: sample,
    baseline: START_GOAL_S,
    unit: 's',
    runs: times.length,
    untilExit: median(times.map((t) => t.exit)),
  });
  const idle = await idleMemory();
  say(`  ${idle.processes} processes, plain sum of RSS ${Math.round(idle.rssMb)} MB`);
  report({
    bench: 'idle-memory',
    ratio: idle.pssMb / MEMORY_GOAL_MB,
    ours: idle.pssMb,
    baseline: MEMORY_GOAL_MB,
    unit: 'MB',
    how: 'sum of PSS over all processes',
    processes: idle.processes,
    rssSumMb: idle.rssMb,
  });
});

async function once() {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const run = await npmStart(['--once']);
  let sample = 0;
  run.onLine((line) => {
    if (/\bFINISHED\b/.test(line)) sample = seconds();
  });
  const code = await run.ended;
  const exit = seconds();
  run.clean();
  if (code !== 0 || !sample)
    throw new Error(`npm start -- --once ended with ${code}\n${run.output()}`);
  say(`  sample finished after ${sample.toFixed(2)} s, everything after ${exit.toFixed(2)} s`);
  return { sample, exit };
}

async function idleMemory() {
  const run = await npmStart([]);
  try {
    await new Promise<void>((done, failed) => {
      run.onLine((line) => {
        if (/curl/.test(line)) done();
      });
      void run.ended.then((code) => failed(new Error(`ended with ${code}\n${run.output()}`)));
    });
    await delay(IDLE_MS);
    return memoryOf(run.child.pid!);
  } finally {
    process.kill(-run.child.pid!, 'SIGINT');
    await run.ended;
    run.clean();
  }
}

async function npmStart(args: string[]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-start-'));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(await freePort()) };
  const child: ChildProcess = spawn('npm', ['start', '--silent', '--', ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // a process group of its own, so that it can be interrupted as a terminal does
    detached: true,
  });
  let output = '';
  const listeners: ((line: string) => void)[] = [];
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const line of text.split('\n')) for (const listener of listeners) listener(line);
    });
  return {
    child,
    output: () => output.slice(-3000),
    onLine: (listener: (line: string) => void) => void listeners.push(listener),
    ended: new Promise<number | null>((done) => child.once('exit', done)),
    clean: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}
