import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './services.mjs';

export const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Runs one program with its output shown; answers its exit code. */
export function run(program, args, env = process.env) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', (error) => {
      process.stderr.write(`${program}: ${error.message}\n`);
      done(127);
    });
    child.on('exit', (code, signal) => done(signal ? 1 : code));
  });
}

/** A check that either holds or not; counts as one. */
export function check(name, program, args) {
  return {
    name,
    run: async () => ((await run(program, args)) === 0 ? { passed: 1 } : { failed: 1 }),
  };
}

/** A jest project; counts its tests, and a file that did not even load as a failure. */
export function jest(name, project, args, env) {
  const report = join(root, 'tmp', `jest-${project}.json`);
  return {
    name,
    run: async () => {
      mkdirSync(join(root, 'tmp'), { recursive: true });
      rmSync(report, { force: true });
      const options = ['--selectProjects', project, '--json', `--outputFile=${report}`, ...args];
      const code = await run(bin('jest'), options, env);
      return counts(report, code);
    },
  };
}

function counts(report, code) {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    return {
      passed: result.numPassedTests,
      // jest may end badly with every test green (a leaked handle, a broken teardown): that is a failure too
      failed: failed || (code === 0 ? 0 : 1),
      skipped: result.numPendingTests + result.numTodoTests,
    };
  } catch {
    return { failed: 1 };
  }
}

export const format = check('format', bin('prettier'), ['--check', '--log-level=warn', '.']);
export const lint = check('lint', bin('nx'), ['run', 'platform:lint']);
export const types = check('types', bin('tsc'), ['-p', 'tsconfig.json', '--noEmit']);
export const openapi = check('openapi', process.execPath, ['tools/openapi.mjs', '--check']);
export const unit = jest('unit tests', 'unit', ['--maxWorkers=2']);

/** Runs the parts one after the other, prints a table and the closing line; answers the exit code. */
export async function runAll(parts, notes = []) {
  const rows = [];
  for (const part of parts) {
    process.stderr.write(`\n── ${part.name}\n`);
    const started = performance.now();
    const result = { passed: 0, failed: 0, skipped: 0, ...(await part.run()) };
    rows.push({
      name: part.name,
      ...result,
      seconds: Math.round((performance.now() - started) / 1000),
    });
  }
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const line = ({ passed, failed, skipped }) =>
    `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
  process.stdout.write('\n');
  for (const row of rows)
    process.stdout.write(`${row.name.padEnd(20)} ${line(row)} (${row.seconds} s)\n`);
  for (const note of notes) process.stdout.write(`${note}\n`);
  const total = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  process.stdout.write(`${line(total)}\n`);
  return total.failed ? 1 : 0;
}
