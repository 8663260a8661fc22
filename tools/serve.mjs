// `npx nx serve <app>`: one service, built and started again at each change, on the parts that `npm run infra` holds up.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from './build.mjs';
import { root } from './services.mjs';

const QUIET_MS = 150;
const app = process.argv[2];
const settingsFile = resolve(root, process.env.DATA_DIR ?? '.data', 'infra.json');

const say = (line) => process.stderr.write(`[serve] ${line}\n`);
function give(line) {
  say(line);
  process.exit(1);
}

if (!app) give('usage: npx nx serve <app>');
if (!existsSync(settingsFile))
  give('The parts are not up: run `npm run infra` in another terminal.');
const settings = JSON.parse(readFileSync(settingsFile, 'utf8'))[app];
if (!settings) give(`${app} is not a service that runs by itself.`);

let child;
let ended = Promise.resolve();

function start() {
  child = spawn(process.execPath, [join(root, 'dist', 'apps', app, 'src', 'main.js')], {
    cwd: root,
    env: { ...process.env, ...settings },
    // the channel tells the service when this process is gone, however it went
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const mine = child;
  ended = new Promise((done) => mine.once('exit', done));
  void ended.then(
    () => mine === child && say(`${app} ended; it starts again with the next change`),
  );
  say(`${app} on http://${settings.HOST}:${settings.PORT}`);
}

async function restart() {
  try {
    await build();
  } catch (error) {
    return say(error.message);
  }
  child?.kill('SIGTERM');
  await ended;
  start();
}

let timer;
let running = Promise.resolve();
const changed = () => {
  clearTimeout(timer);
  timer = setTimeout(() => (running = running.then(restart)), QUIET_MS);
};
for (const folder of ['apps', 'libs'])
  watch(
    join(root, folder),
    { recursive: true },
    (_, name) => /(?<!\.spec)\.ts$/.test(name ?? '') && changed(),
  );

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, async () => {
    child?.kill('SIGTERM');
    await ended;
    process.exit(0);
  });

await restart();
