import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ServiceSettings } from '@libs/config';
import type { VersionInfo } from '@libs/envelope';

/** The version comes from the package file above this one, commit and build from the settings. */
export function versionInfo(settings: ServiceSettings): VersionInfo {
  return { version: packageVersion(), commit: settings.buildCommit, build: settings.buildNumber };
}

let found: string | undefined;

export function packageVersion(): string {
  for (let folder = __dirname; !found; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file))
      found = (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version;
    if (dirname(folder) === folder) break;
  }
  return found ?? '0.0.0';
}
