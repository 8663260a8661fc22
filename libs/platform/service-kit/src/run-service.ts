import { environment, loadSettings, printSettings } from '@libs/config';
import { createService, type RunningService } from './create-service';
import type { ServiceDefinition } from './define-service';
import { listen } from './listen';
import { metricsText } from './metrics';
import { whenReady } from './when-ready';

/** A service as a process of its own: its listener, its signals. `--print-settings` only documents the settings. */
export async function runService(definition: ServiceDefinition): Promise<void> {
  if (process.argv.includes('--print-settings')) {
    process.stdout.write(`${printSettings([definition.settings], environment())}\n`);
    return;
  }
  try {
    await serve(definition);
  } catch (error) {
    process.stderr.write(`${definition.name}: ${(error as Error).message}\n`);
    process.exit(1);
  }
}

async function serve(definition: ServiceDefinition): Promise<void> {
  const { host, port } = loadSettings(definition.settings, environment());
  const running: { service?: RunningService } = {};
  const listening = await listen(
    (request, response) => {
      const { service } = running;
      if (request.url === '/metrics' && service)
        return void metricsText([service.metrics]).then((text) => {
          response.setHeader('Content-Type', 'text/plain; version=0.0.4');
          response.end(text);
        });
      if (service) return service.handler(request, response);
      response.writeHead(503, { 'Retry-After': '1' }).end();
    },
    host,
    port,
  );
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const closed = listening.close(2_500);
    await running.service?.close().catch(() => undefined);
    await closed;
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
  // Started by a launcher: its end is ours.
  process.on('disconnect', () => void stop());
  running.service = await createService(definition, environment());
  // To become ready some ask others, who ask them in turn.
  process.send?.({ answers: listening.port });
  await whenReady(running.service);
  process.send?.({ ready: definition.name, port: listening.port });
}
