import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The import names of the workspace (`@libs/x`, `@apps/y`) and the file each stands for, from tsconfig.base.json. */
export function pathAliases(root) {
  const config = JSON.parse(readFileSync(resolve(root, 'tsconfig.base.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries(config.compilerOptions.paths).map(([name, [file]]) => [
      name,
      resolve(root, file),
    ]),
  );
}
