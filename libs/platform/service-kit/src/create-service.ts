import type { IncomingMessage, ServerResponse } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { Abstract, INestApplication, Type } from '@nestjs/common';
import express, { type NextFunction, type Request, type Response } from 'express';
import { AccessCheck, AccessGuard, runInContext } from '@libs/auth';
import { loadSettings, type Environment, type ServiceSettings } from '@libs/config';
import { BusTransport, MessageBus } from '@libs/messaging';
import { Answers } from './answer';
import { answerCors } from './cors';
import { createAccess, loadTenants, useOwnSources, watchParts } from './access-parts';
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
import { Stopping } from './stopping';
import { watchRequests } from './watch-requests';
import { urlProblem } from './url-problem';
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
  get<T>(token: Abstract<T> | symbol): T;
  /** Takes no more work, finishes what runs, disconnects. */
  close(): Promise<void>;
}

/** How long requests that run may take to end when the service stops. */
const GRACE_MS = 2_000;

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
  const stopping = new Stopping();
  const access = createAccess(definition, settings);
  const web = express().disable('x-powered-by').disable('etag').set('query parser', 'simple');
  web.use((request: Request, response: Response, next: NextFunction) => {
    const problem = urlProblem(request.url);
    if (problem) answers.problem(request, response, problem);
    else if (!answerCors(request, response)) next();
  });
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
      { provide: Stopping, useValue: stopping },
      ...access.providers,
    ]),
    new EnvelopeAdapter(web, answers),
    { bodyParser: false, abortOnError: false, logger: frameworkLogger(log) },
  );
  app.useGlobalGuards(
    new AccessGuard(
      new AccessCheck(access.tenants, access.verifier, definition.identity),
      settings.servicePassword,
    ),
  );
  app.useGlobalPipes(new FieldsPipe());
  app.useGlobalFilters(new ProblemFilter(answers));
  try {
    const own = useOwnSources(app, access);
    if (!own.registry) await loadTenants(access, log);
    await app.init();
    if (own.registry) await loadTenants(access, log);
    // a token that was revoked while this service was away must not be taken by the first request
    const revokedFirst = own.revocations || definition.needs.includes('tokens');
    await watchParts(app, access, readiness, { revokedFirst });
    await consume(app);
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
  const watch = watchRequests(log, metrics, stopping);
  return {
    name: definition.name,
    prefixes: definition.prefixes,
    metrics,
    settings,
    handler: (request, response) => {
      const context = contextOf(definition.name, request.headers);
      sendIds(response, context);
      watch(request, response, context);
      runInContext(context, () => web(request, response));
    },
    ready: async () => !Object.values(await readiness.run()).includes(false),
    get: <T>(token: Abstract<T> | symbol) => app.get<T>(token as Type<T>, { strict: false }),
    close: async () => {
      access.stop();
      await stopping.begin(GRACE_MS);
      await app.close();
      await access.transport.close();
    },
  };
}

/** Controllers with `@EventPattern` are served from the service's bus. */
async function consume(app: INestApplication): Promise<void> {
  const bus = app.get<MessageBus>(MessageBus as unknown as Type<MessageBus>, { strict: false });
  app.connectMicroservice({ strategy: new BusTransport(bus) });
  await app.startAllMicroservices();
}
