import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** Injectable: the metrics of one service. Anything registered in `registry` is at /metrics, labelled with the service. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Histogram<'method' | 'route' | 'status'>;

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    this.requests = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from request to the end of the answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers: [this.registry],
    });
  }

  /** A counter of this service; the same name gives the same counter. */
  counter(name: string, help: string, labelNames: string[] = []): Counter {
    const known = this.registry.getSingleMetric(name) as Counter | undefined;
    return known ?? new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  request(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds);
  }
}

let ofProcess: Registry | undefined;

/** Memory, CPU, event loop: once per process, whatever number of services it runs. */
export function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** The text of /metrics for these services. */
export async function metricsText(services: Metrics[]): Promise<string> {
  const texts = await Promise.all(
    [processMetrics(), ...services.map((s) => s.registry)].map((r) => r.metrics()),
  );
  const seen = new Set<string>();
  return texts
    .join('\n')
    .split('\n')
    .filter((line) => !line.startsWith('# ') || (!seen.has(line) && seen.add(line)))
    .join('\n');
}
