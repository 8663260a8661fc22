import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathAliases } from './path-aliases.mjs';

export const root = resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

/** What the build made of one of the workspace's import names (`@apps/systems`, `@libs/service-kit`). */
export function built(name) {
  const source = pathAliases(root)[name];
  if (!source) throw new Error(`${name} is not a name of this workspace`);
  return require(source.replace(root, resolve(root, 'dist')).replace(/\.ts$/, '.js'));
}

/** The services' names: every app that exports a definition. */
export function serviceNames() {
  return Object.entries(pathAliases(root))
    .filter(([name, file]) => name.startsWith('@apps/') && existsSync(file))
    .map(([name]) => name.slice('@apps/'.length));
}

/** The definition an app exports: the one export that has a name, prefixes and a module. */
export function definitionOf(app) {
  const found = Object.values(built(`@apps/${app}`)).find(
    (value) => value?.prefixes && value?.module,
  );
  if (!found) throw new Error(`apps/${app}/src/service.ts exports no service definition`);
  return found;
}
