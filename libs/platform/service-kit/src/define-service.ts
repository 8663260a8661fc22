import type { Type } from '@nestjs/common';
import type { ServiceSettings } from '@libs/config';

/** One record per service: everything that runs it, routes to it and documents it reads this. */
export interface ServiceDefinition {
  /** Name of the app, for example `jobs-api`: logs, metrics, deployment. */
  name: string;
  /** Name in tokens, in the sites' lists and between services, for example `jobs`. Default: `name`. */
  identity: string;
  /** Path prefixes it serves; none for a worker. The first one carries the probes and the API document. */
  prefixes: string[];
  settings: Type<ServiceSettings>;
  module: Type;
  /** Services that must be ready before it starts, and parts: `postgres`, `bus`. */
  needs: string[];
  /** `hello` and `ready` beside `healthcheck` and `readycheck`. */
  helloProbes: boolean;
  /** What the API document says it is. */
  summary: string;
}

type Optional = 'identity' | 'prefixes' | 'needs' | 'helloProbes' | 'summary';

export function defineService(
  definition: Omit<ServiceDefinition, Optional> & Partial<Pick<ServiceDefinition, Optional>>,
): ServiceDefinition {
  const { name } = definition;
  return Object.freeze({
    identity: name,
    prefixes: [],
    needs: [],
    helloProbes: false,
    summary: name,
    ...definition,
  });
}

/** Injectable: what the running service is. */
export abstract class ServiceIdentity {
  abstract readonly name: string;
  abstract readonly identity: string;
  abstract readonly prefixes: string[];
}
