import { runAll, type ProxyRoute } from '@libs/service-kit';
import type { LauncherSettings } from './launcher-settings';
import type { Options } from './options';
import type { DataFolder } from './parts/data-folder';
import type { Parts } from './parts/parts';
import { serviceEnvironment } from './service-environment';
import type { Shutdown } from './shutdown';
import type { SitePlan } from './site-plan';

export interface Site {
  settings: LauncherSettings;
  plan: SitePlan;
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
  const { settings, plan, parts, shutdown } = site;
  const { host, port } = settings;
  const running = await runAll(
    [...plan.services],
    (service) => serviceEnvironment(service, settings, plan, parts),
    { host, port, elsewhere: elsewhere(plan) },
  );
  shutdown.add(() => running.close());
}

/** The listener of an associate leads to the primary whatever the site does not run itself. */
export const elsewhere = (plan: SitePlan): ProxyRoute[] =>
  plan.elsewhere.flatMap(({ prefixes }) =>
    prefixes.map((prefix) => ({ prefix, target: () => plan.primaryUrl })),
  );
