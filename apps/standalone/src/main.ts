import { environment, loadSettings, printSettings, SettingsError } from '@libs/config';
import { endOnSignals } from './end-on-signals';
import { LauncherSettings } from './launcher-settings';
import { parseOptions, USAGE, type Options } from './options';
import { Problem } from './problem';
import { Shutdown } from './shutdown';

const started = performance.now();
/** Nobody waits at the keyboard for the end of `--once`. */
const ONCE_PATIENCE_MS = 30_000;
/** One of several sites: whoever started it has to see its end in time. */
const SITE_PATIENCE_MS = 2_500;

async function main(): Promise<number | undefined> {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) return print(USAGE);
  const settings = loadSettings(LauncherSettings, environment());
  if (options.printSettings) return showSettings();
  const shutdown = process.send ? new Shutdown(SITE_PATIENCE_MS) : new Shutdown();
  endOnSignals(shutdown);
  try {
    const good = await start(settings, options, shutdown);
    if (!options.once) return undefined;
    await shutdown.run(ONCE_PATIENCE_MS);
    return good ? 0 : 1;
  } catch (error) {
    // a signal while starting: whoever handles it ends the process
    if (shutdown.begun) return undefined;
    await shutdown.run();
    throw error;
  }
}

async function start(settings: LauncherSettings, options: Options, shutdown: Shutdown) {
  if (options.sites !== undefined) {
    const { startSites } = await import('./sites.js');
    return startSites(settings, options, shutdown);
  }
  // one of several sites: whoever started them waits for this word, and ends them by ending
  process.on('disconnect', () => void shutdown.run().then(() => process.exit(0)));
  const { startPlatform } = await import('./platform.js');
  const good = await startPlatform(settings, options, shutdown, started);
  process.send?.({ good });
  return good;
}

async function showSettings(): Promise<number> {
  const { SERVICES } = await import('./services.js');
  const classes = [LauncherSettings, ...SERVICES.map((service) => service.settings)];
  return print(`${printSettings(classes, environment())}\n`);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

main()
  .then((code) => {
    if (code !== undefined) process.exit(code);
  })
  .catch((error: Error) => {
    const plain = error instanceof Problem || error instanceof SettingsError;
    process.stderr.write(`${plain ? error.message : (error.stack ?? error.message)}\n`);
    process.exit(1);
  });
