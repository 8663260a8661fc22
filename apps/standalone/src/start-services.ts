import { runAll } from '@libs/service-kit';
import type { LauncherSettings } from './launcher-settings';
import type { Options } from './options';
import type { DataFolder } from './parts/data-folder';
import type { Parts } from './parts/parts';
import { serviceEnvironment } from './service-environment';
import { SERVICES } from './services';
import type { Shutdown } from './shutdown';

export interface Site {
  settings: LauncherSettings;
  options: Pick<Options, 'fork'>;
  data: DataFolder;
  parts: Parts;
  shutdown: Shutdown;
}

/** Starts every service behind one listener, here or each in a process of its own. */
export async function startServices(site: Site): Promise<void> {
  if (site.options.fork) {
    const { Fleet } = await import('./fleet.js');
    const fleet = new Fleet(site);
    site.shutdown.add(
      () => fleet.stop(),
      () => fleet.kill(),
    );
    return fleet.start();
  }
  const { settings, parts, shutdown } = site;
  const running = await runAll(
    [...SERVICES],
    (service) => serviceEnvironment(service, settings, parts),
    settings,
  );
  shutdown.add(() => running.close());
}
