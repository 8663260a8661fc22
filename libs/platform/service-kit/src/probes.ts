import type { Express, Request, Response } from 'express';
import { NotReady, reply } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import type { Answers } from './answer';
import type { ServiceDefinition } from './define-service';
import type { Readiness } from './readiness';

/** Health and readiness under every prefix and, for whoever runs the process, at the root; without a token. */
export function addProbes(
  app: Express,
  definition: ServiceDefinition,
  answers: Answers,
  readiness: Readiness,
): void {
  let checkNum = 0;
  const healthy = (request: Request, response: Response) =>
    answers.reply(
      request,
      response,
      reply(platform().code('HEALTHY'), `${definition.name} is alive`, { checkNum: ++checkNum }),
    );
  const ready = async (request: Request, response: Response) => {
    const parts = await readiness.run();
    const result = { checkNum: ++checkNum, ...parts };
    const failed = Object.keys(parts).filter((name) => !parts[name]);
    if (failed.length)
      throw new NotReady(
        platform().code('NOT_READY'),
        `${definition.name} is not ready: ${failed.join(', ')}`,
        result,
      );
    answers.reply(
      request,
      response,
      reply(platform().code('READY'), `${definition.name} is ready`, result),
    );
  };
  for (const prefix of [...definition.prefixes, '']) {
    app.get(`${prefix}/healthcheck`, healthy);
    app.get(`${prefix}/readycheck`, ready);
    if (!definition.helloProbes || !prefix) continue;
    app.get(`${prefix}/hello`, (request, response) =>
      answers.reply(request, response, reply(platform().code('HEALTHY'), 'hello', '')),
    );
    app.get(`${prefix}/ready`, async (request, response) => {
      await readiness.run().then((parts) => {
        if (Object.values(parts).includes(false))
          throw new NotReady(platform().code('NOT_READY'), `${definition.name} is not ready`);
      });
      answers.reply(request, response, reply(platform().code('READY'), 'ready', ''));
    });
  }
}
