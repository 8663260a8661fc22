import type { Shutdown } from './shutdown';

/** A second signal this soon is the terminal and npm telling us the same thing twice. */
const SAME_SIGNAL_MS = 500;

/** Ends the process in order at the first signal, at once when a person insists. */
export function endOnSignals(shutdown: Shutdown): void {
  let first = 0;
  const end = (signal: NodeJS.Signals) => {
    if (!first) {
      first = performance.now();
      if (process.stdout.isTTY) process.stdout.write('\nStopping ...\n');
      void shutdown.run().then(() => process.exit(signal === 'SIGINT' ? 130 : 0));
    } else if (performance.now() - first > SAME_SIGNAL_MS) process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}
