import type { IncomingMessage, ServerResponse } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { INestApplication, Type } from '@nestjs/common';
import express from 'express';
import { AccessCheck, AccessGuard, runInContext } from '@libs/auth';
import { loadSettings, type Environment, type ServiceSettings } from '@libs/config';
import { Answers } from './answer';
import { connectAccess, createAccess } from './access-parts';
import { addBodyParsers } from './body-parsers';
import type { ServiceDefinition } from './define-service';
import { EnvelopeAdapter } from './envelope-adapter';
import { FieldsPipe } from './fields.pipe';
import { rootModule } from './kit.module';
import { createLog, frameworkLogger, Log } from './log';
import { Metrics } from './metrics';
import { documentOf } from './openapi';
import { addProbes } from './probes';
import { ProblemFilter } from './problem.filter';
import { Readiness } from './readiness';
import { contextOf, sendIds } from './request-ids';
import { versionInfo } from './version-info';

/** A service that is up, without a listener of its own. */
export interface RunningService {
  name: string;
  prefixes: string[];
  metrics: Metrics;
  settings: ServiceSettings;
  handler(request: IncomingMessage, response: ServerResponse): void;
  /** Throws nothing; false while a part it needs is away. */
  ready(): Promise<boolean>;
  /** An injectable of the service, for tests and launchers. */
  get<T>(token: Type<T> | symbol): T;
  /** Takes no more work, finishes what runs, disconnects. */
  close(): Promise<void>;
}

/** Starts a service from its record and its environment-shaped settings; resolves when it is ready to serve. */
export async function createService(
  definition: ServiceDefinition,
  environment: Environment,
): Promise<RunningService> {
  const settings = loadSettings(definition.settings, environment);
  const log = createLog(definition.name, settings);
  const answers = new Answers(versionInfo(settings), log);
  const metrics = new Metrics(definition.name);
  const readiness = new Readiness();
  const access = createAccess(definition, settings);
  const web = express().disable('x-powered-by').disable('etag').set('query parser', 'simple');
  addProbes(web, definition, answers, readiness);
  let document: object | undefined;
  for (const prefix of definition.prefixes)
    web.get(`${prefix}/openapi.json`, (_request, response) => {
      response.json((document ??= documentOf(app, definition)));
    });
  addBodyParsers(web);
  const app: INestApplication = await NestFactory.create(
    rootModule(definition, [
      { provide: definition.settings, useValue: settings },
      { provide: Log, useValue: log },
      { provide: Metrics, useValue: metrics },
      { provide: Readiness, useValue: readiness },
      ...access.providers,
    ]),
    new EnvelopeAdapter(web, answers),
    { bodyParser: false, abortOnError: false, logger: frameworkLogger(log) },
  );
  app.useGlobalGuards(
    new AccessGuard(new AccessCheck(access.tenants, access.verifier, definition.identity)),
  );
  app.useGlobalPipes(new FieldsPipe());
  app.useGlobalFilters(new ProblemFilter(answers));
  try {
    await app.init();
    await connectAccess(app, access, log, readiness);
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
  return {
    name: definition.name,
    prefixes: definition.prefixes,
    metrics,
    settings,
    handler: (request, response) => {
      const context = contextOf(definition.name, request.headers);
      sendIds(response, context);
      const started = performance.now();
      response.once('close', () => {
        const route = (request as { route?: { path?: string } }).route?.path ?? 'none';
        const seconds = (performance.now() - started) / 1000;
        metrics.request(request.method ?? '', route, response.statusCode, seconds);
      });
      runInContext(context, () => web(request, response));
    },
    ready: async () => !Object.values(await readiness.run()).includes(false),
    get: <T>(token: Type<T> | symbol) => app.get<T>(token as Type<T>, { strict: false }),
    close: async () => {
      access.stop();
      await app.close();
      await access.transport.close();
    },
  };
}
