import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { loopbackLookup } from '@libs/service-client';
import { NotFound, NotReady } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { plainProblem } from './plain-problem';
import { PrefixTable } from './prefix-table';
import { packageVersion } from './version-info';

export interface ProxyRoute {
  prefix: string;
  /** Base address of the process that serves it; undefined while it is away. */
  target: () => string | undefined;
}

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

interface Agents {
  plain: Agent;
  tls: TlsAgent;
}

/**
 * A front for services that run as processes of their own, here or at another site: picks by path prefix, streams
 * both ways, keeps connections and the Host header, which names the tenant. A process that is away is a 503. `other` serves what no prefix matches.
 */
export function proxyListener(
  routes: ProxyRoute[],
  other?: (request: IncomingMessage, response: ServerResponse) => boolean,
): RequestListener {
  const kept = { keepAlive: true, maxFreeSockets: 64 };
  const agents: Agents = { plain: new Agent(kept), tls: new TlsAgent(kept) };
  const table = new PrefixTable<ProxyRoute>();
  for (const route of routes) table.add(route.prefix, route);
  const version = { version: packageVersion(), commit: 'unknown', build: '0' };
  return (request, response) => {
    const route = table.find(request.url ?? '/');
    if (!route) {
      if (other?.(request, response)) return;
      const nothing = new NotFound(platform().code('NO_ROUTE'), 'Nothing is served at this path');
      return plainProblem(request, response, nothing, version);
    }
    const away = () =>
      plainProblem(
        request,
        response,
        new NotReady(
          platform().code('NOT_READY'),
          `The service at ${route.prefix} is away`,
          null,
          1,
        ),
        version,
      );
    const target = route.target();
    if (!target) return away();
    forward(request, response, target, agents, away);
  };
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  agents: Agents,
  away: () => void,
): void {
  const { hostname, port, protocol } = new URL(target);
  const tls = protocol === 'https:';
  const onward = (tls ? httpsRequest : httpRequest)(
    {
      hostname,
      port,
      lookup: loopbackLookup,
      agent: tls ? agents.tls : agents.plain,
      method: request.method,
      path: request.url,
      headers: { ...withoutHops(request), 'x-forwarded-for': addressesOf(request) },
      setHost: false,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, withoutHops(answer));
      response.flushHeaders();
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    },
  );
  onward.on('error', () => (response.headersSent ? response.destroy() : away()));
  response.on('close', () => {
    if (!response.writableFinished) onward.destroy();
  });
  request.pipe(onward);
}

/** Where the request came from: what proxies before us said, and then what we see ourselves. */
function addressesOf({ headers, socket }: IncomingMessage): string {
  const before = headers['x-forwarded-for'];
  return [before ?? [], socket.remoteAddress ?? 'unknown'].flat().join(', ');
}

function withoutHops(message: IncomingMessage): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  const chunked = message.headers['transfer-encoding'];
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined && !HOP_BY_HOP.includes(name)) kept[name] = value;
  // A request body of unknown length stays one.
  if (chunked && !message.statusCode) kept['transfer-encoding'] = 'chunked';
  return kept;
}
