import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment } from '@libs/config';
import { NotReady } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { createService, type RunningService } from './create-service';
import type { ServiceDefinition } from './define-service';
import { siteDocs } from './docs-page';
import { listen, type Listening } from './listen';
import { metricsText } from './metrics';
import { inOrderOfNeed } from './order-of-need';
import { plainProblem } from './plain-problem';
import { PrefixTable } from './prefix-table';
import { proxyListener, type ProxyRoute } from './proxy-listener';
import { packageVersion } from './version-info';
import { whenReady } from './when-ready';

export interface RunAllOptions {
  host: string;
  port: number;
  /** What is served elsewhere: at another site. */
  elsewhere?: ProxyRoute[];
  /** Called as each service comes up. */
  onReady?: (service: RunningService) => void;
}

export interface RunningSite {
  url: string;
  port: number;
  services: Map<string, RunningService>;
  close(): Promise<void>;
}

/** Environment-shaped settings, the same for all services or per service (passwords differ). */
export type EnvironmentFor = Environment | ((definition: ServiceDefinition) => Environment);

/**
 * All these services in one process behind one listener that picks the service by path prefix. The listener is there
 * first, because services call each other while they start; each starts as soon as those it needs are up.
 */
export async function runAll(
  definitions: ServiceDefinition[],
  environment: EnvironmentFor,
  options: RunAllOptions,
): Promise<RunningSite> {
  const services = new Map<string, RunningService>();
  const table = new PrefixTable<ServiceDefinition>();
  for (const definition of definitions)
    for (const prefix of definition.prefixes) table.add(prefix, definition);
  const docs = siteDocs(definitions);
  const version = { version: packageVersion(), commit: 'unknown', build: '0' };

  const outside = proxyListener(options.elsewhere ?? [], (request, response) => {
    if (request.url !== '/metrics') return docs(request, response);
    void metricsText([...services.values()].map((s) => s.metrics)).then((text) => {
      response.setHeader('Content-Type', 'text/plain; version=0.0.4');
      response.end(text);
    });
    return true;
  });

  const route = (request: IncomingMessage, response: ServerResponse): void => {
    const url = request.url ?? '/';
    const definition = table.find(url);
    if (definition) {
      const service = services.get(definition.name);
      if (service) return service.handler(request, response);
      const starting = new NotReady(
        platform().code('NOT_READY'),
        `Service ${definition.name} is starting`,
        null,
        1,
      );
      return plainProblem(request, response, starting, version);
    }
    outside(request, response);
  };

  const envOf = (definition: ServiceDefinition): Environment =>
    typeof environment === 'function' ? environment(definition) : environment;
  const listening = await listen(route, options.host, options.port);
  const start = async (definition: ServiceDefinition): Promise<void> => {
    const service = await createService(definition, envOf(definition));
    services.set(definition.name, service);
    await whenReady(service);
    options.onReady?.(service);
  };
  const order = inOrderOfNeed(definitions);
  try {
    await startInOrder(order, start);
  } catch (error) {
    await closeAll(order, services, listening);
    throw error;
  }
  return {
    url: listening.url,
    port: listening.port,
    services,
    close: () => closeAll(order, services, listening),
  };
}

/** Each service starts when the services it needs have started. */
async function startInOrder(
  order: ServiceDefinition[],
  start: (definition: ServiceDefinition) => Promise<void>,
): Promise<void> {
  const started = new Map<string, Promise<void>>();
  for (const definition of order) {
    const needed = definition.needs.map((name) => started.get(name));
    started.set(
      definition.name,
      Promise.all(needed).then(() => start(definition)),
    );
  }
  const outcomes = await Promise.allSettled(started.values());
  const failed = outcomes.find((o) => o.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Reverse order of need: whoever calls others ends before them. */
async function closeAll(
  order: ServiceDefinition[],
  services: Map<string, RunningService>,
  listening: Listening,
): Promise<void> {
  const listenerClosed = listening.close(2_500);
  for (const { name } of [...order].reverse()) {
    const service = services.get(name);
    services.delete(name);
    await service?.close().catch(() => undefined);
  }
  await listenerClosed;
}
