import type { INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import express from 'express';
import { PUBLIC, SERVICES_ONLY } from '@libs/auth';
import { platform } from '@libs/platform-name';
import type { Answers } from './answer';
import type { ServiceDefinition } from './define-service';
import { EnvelopeAdapter } from './envelope-adapter';
import { envelopeSchema } from './gives';
import { rootModule } from './kit.module';
import { packageVersion } from './version-info';

type Paths = OpenAPIObject['paths'];
type Operation = NonNullable<Paths[string]['get']>;
interface Access {
  open: boolean;
  /** A POST that makes something says so with `@HttpCode(201)` or `@Gives`. */
  saysStatus: boolean;
  services?: string[];
}

/** Where the framework keeps what `@HttpCode` and `@ApiResponse` say. */
const STATUS_KEYS = ['__httpCode__', 'swagger/apiResponse'];
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;
const TOKEN = 'Token';

/** The API document of a service from its metadata alone: nothing is instantiated, no database is needed. */
export async function openApiOf(definition: ServiceDefinition): Promise<OpenAPIObject> {
  const app = await NestFactory.create(
    rootModule(definition, []),
    new EnvelopeAdapter(express(), undefined as unknown as Answers),
    { preview: true, logger: false, abortOnError: false },
  );
  await app.init();
  return documentOf(app, definition);
}

/** The API document of a service that runs, or of one in preview. */
export function documentOf(app: INestApplication, definition: ServiceDefinition): OpenAPIObject {
  const access = accessOf(app);
  const config = new DocumentBuilder()
    .setTitle(definition.summary)
    .setVersion(packageVersion())
    .addApiKey({ type: 'apiKey', in: 'header', name: platform().header('Token') }, TOKEN)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'Bearer')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => idOf(controller, method),
    autoTagControllers: false,
  });
  for (const path of Object.values(document.paths))
    for (const method of METHODS) {
      const operation = path[method];
      if (operation) complete(operation, access.get(operation.operationId ?? ''));
    }
  for (const prefix of definition.prefixes) addProbePaths(document.paths, prefix, definition);
  document.components ??= {};
  document.components.schemas = {
    ...document.components.schemas,
    Problem: envelopeSchema({ type: 'object', nullable: true }, 'error'),
  };
  return document;
}

const idOf = (controller: string, method: string): string =>
  `${controller.replace(/Controller$/, '')}_${method}`;

/** Who may call which operation, read from the decorators of the controllers. */
function accessOf(app: INestApplication): Map<string, Access> {
  const found = new Map<string, Access>();
  interface Container {
    getModules(): Map<string, { controllers: Map<unknown, { metatype: Type | null }> }>;
  }
  const { container } = app as unknown as { container: Container };
  for (const { controllers } of container.getModules().values())
    for (const { metatype } of controllers.values()) {
      if (!metatype) continue;
      for (
        let prototype = metatype.prototype as Record<string, object>;
        prototype && (prototype as unknown) !== Object.prototype;
        prototype = Object.getPrototypeOf(prototype) as typeof prototype
      )
        for (const name of Object.getOwnPropertyNames(prototype)) {
          const handler = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
          if (typeof handler !== 'function' || found.has(idOf(metatype.name, name))) continue;
          const read = (key: string): unknown =>
            Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, metatype);
          found.set(idOf(metatype.name, name), {
            open: read(PUBLIC) === true,
            saysStatus: STATUS_KEYS.some((key) => read(key) !== undefined),
            services: read(SERVICES_ONLY) as string[] | undefined,
          });
        }
    }
  return found;
}

function complete(operation: Operation, access?: Access): void {
  operation.security = access?.open ? [] : [{ [TOKEN]: [] }, { Bearer: [] }];
  if (access?.services)
    Object.assign(operation, {
      'x-services-only': access.services.length ? access.services : true,
    });
  const responses = operation.responses as Record<
    string,
    { description: string; content?: object }
  >;
  // The framework takes 201 for the status of every POST; here it is 200 unless the handler says otherwise.
  if (access && !access.saysStatus && responses['201']) {
    responses['200'] = responses['201'];
    delete responses['201'];
  }
  for (const [status, response] of Object.entries(responses)) {
    response.description ||= 'Success';
    if (status.startsWith('2') && status !== '204' && !response.content)
      response.content = json(envelopeSchema({}));
  }
  responses['default'] = {
    description: 'Refused or failed: code and text are in the message',
    content: json({ $ref: '#/components/schemas/Problem' }),
  };
}

const json = (schema: object) => ({ 'application/json': { schema } });

function addProbePaths(paths: Paths, prefix: string, definition: ServiceDefinition): void {
  const names = [
    'healthcheck',
    'readycheck',
    ...(definition.helloProbes ? ['hello', 'ready'] : []),
  ];
  for (const name of names) {
    const operation: Operation = {
      operationId: `${name}${prefix.replaceAll(/\W+/g, '_')}`,
      summary: /^(healthcheck|hello)$/.test(name) ? 'Whether it is alive' : 'Whether it can serve',
      parameters: [],
      responses: { 200: { description: 'Success' } },
    };
    complete(operation, { open: true, saysStatus: true });
    paths[`${prefix}/${name}`] = { get: operation };
  }
}
