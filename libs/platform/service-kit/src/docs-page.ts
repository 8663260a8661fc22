import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import type { ServiceDefinition } from './define-service';

const TYPES: Record<string, string> = {
  css: 'text/css',
  js: 'text/javascript',
  png: 'image/png',
  html: 'text/html; charset=utf-8',
};
const ASSETS = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-32x32.png',
];

/** The pages at /docs: every service's API document, selectable. Answers whether the request was one of them. */
export function siteDocs(
  definitions: Pick<ServiceDefinition, 'name' | 'prefixes'>[],
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const urls = definitions
    .filter((d) => d.prefixes.length)
    .map((d) => ({ name: d.name, url: `${d.prefixes[0]}/openapi.json` }));
  return (request, response) => {
    const path = (request.url ?? '/').split('?')[0];
    if (path === '/' || path === '/docs') {
      response.writeHead(302, { Location: '/docs/' }).end();
      return true;
    }
    if (!path?.startsWith('/docs/')) return false;
    const name = path.slice('/docs/'.length);
    if (name === '') {
      response.writeHead(200, { 'Content-Type': TYPES['html'] }).end(page(urls));
      return true;
    }
    if (!ASSETS.includes(name)) return false;
    void sendAsset(name, response);
    return true;
  };
}

async function sendAsset(name: string, response: ServerResponse): Promise<void> {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const content = await readFile(join(folder, name));
  const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'max-age=86400' }).end(content);
}

const page = (urls: { name: string; url: string }[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>API</title>
<link rel="icon" href="/docs/favicon-32x32.png"><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/swagger-ui-standalone-preset.js"></script>
<script>
SwaggerUIBundle({ urls: ${JSON.stringify(urls)}, dom_id: '#ui', deepLinking: true, persistAuthorization: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], layout: 'StandaloneLayout' });
</script></body></html>
`;
