import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { environment } from '@libs/config';
import { setPlatformName } from '@libs/platform-name';
import { serviceOf, siteAdministrator } from './admin/administrators';
import { addSite, addTenant } from './admin/bring-up';
import type { LauncherSettings } from './launcher-settings';
import type { Options } from './options';
import { DataFolder } from './parts/data-folder';
import { claimPort, freePort } from './parts/ports';
import { endChild, killChild } from './parts/running';
import { openSecrets } from './parts/secrets';
import { Problem } from './problem';
import { PublicApi } from './sample/public-api';
import type { Shutdown } from './shutdown';
import { PRIMARY } from './primary';
import { identitiesOf, planOf, type SitePlan } from './site-plan';

const STOP_PATIENCE_MS = 8_000;
const OWNER = { name: 'Local installation', email: 'admin@localhost', institution: '-' };

/** One site of `--sites`: its name and, after a colon, what it runs. */
interface WantedSite {
  id: string;
  services?: string;
}

/** `primary,west:systems+files,east`: the primary comes first. */
export function wantedSites(text: string): WantedSite[] {
  const sites = text.split(',').map((part) => {
    const [id = '', services] = part.split(':');
    // the test accounts are made by an authenticator of the site itself
    return { id, services: services && `authenticator,${services.replaceAll('+', ',')}` };
  });
  const ids = sites.map(({ id }) => id);
  const odd = ids.find((id) => !/^[a-z][a-z0-9]{0,15}$/.test(id));
  if (ids[0] !== PRIMARY || odd !== undefined || new Set(ids).size < ids.length)
    throw new Problem(
      '--sites takes different names of lower-case letters and digits, the first one is primary: primary,west,east',
    );
  return sites;
}

/**
 * An installation of several sites on this machine, each a launcher of its own with its own data, database and keys.
 * Associates are registered at the primary and get a tenant to try things in. Answers whether the sample went well.
 */
export async function startSites(
  settings: LauncherSettings,
  options: Options,
  shutdown: Shutdown,
): Promise<boolean> {
  setPlatformName(settings.platformName);
  const [, ...associates] = wantedSites(options.sites!);
  // what can't be is said before anything is started
  for (const { id, services: siteServices = settings.siteServices } of associates)
    planOf({ ...settings, siteId: id, siteServices });
  await claimPort(settings);
  const sites = new Sites(settings, shutdown);
  const primary = planOf({ ...settings, siteId: PRIMARY });
  const good = await sites.start(primary, settings.dataDir, {}, options.sample);
  const registry = await siteAdministrator(primary.adminUrl, { user: 'admin', password: 'admin' });
  for (const wanted of associates) await sites.join(registry, primary, wanted);
  const lines = associates.map(({ id }) => `  ${id.padEnd(10)}  ${sites.plans.get(id)!.devUrl}`);
  process.stdout.write(
    `\nThe sites are up:\n  primary     ${primary.devUrl}\n${lines.join('\n')}\n`,
  );
  return good;
}

class Sites {
  readonly plans = new Map<string, SitePlan>();
  private readonly children: ChildProcess[] = [];

  constructor(
    private readonly settings: LauncherSettings,
    shutdown: Shutdown,
  ) {
    // together: one after the other they would take longer than a person waits
    shutdown.add(
      () => Promise.all(this.children.map((child) => endChild(child, STOP_PATIENCE_MS))),
      () => Promise.all(this.children.map(killChild)),
    );
  }

  /** Registers an associate, starts it, and gives it a tenant with test accounts. */
  async join(registry: PublicApi, primary: SitePlan, { id, services }: WantedSite): Promise<void> {
    const say = (line: string) => process.stdout.write(`[${id}] ${line}\n`);
    const dataDir = join(this.settings.dataDir, 'sites', id);
    const plan = planOf({
      siteId: id,
      port: await this.portOf(registry, id),
      primaryUrl: primary.adminUrl,
      siteServices: services ?? this.settings.siteServices,
    });
    const names = identitiesOf(plan.services);
    const secrets = openSecrets(new DataFolder(dataDir).at('secrets.json'), names);
    const { adminTenant, adminUrl: baseUrl } = plan;
    const publicKey = secrets.siteAdminPublicKey;
    await addSite(
      registry,
      { id, baseUrl, adminTenant, services: names, publicKey, owner: OWNER },
      say,
    );
    const database = this.settings.databaseUrl && databaseOf(this.settings.databaseUrl, id);
    await this.start(
      plan,
      dataDir,
      { DATABASE_URL: database, SITE_SERVICES: names.join(',') },
      false,
    );
    const keys = await serviceOf(plan, 'tokens', secrets.servicePasswords['tokens']!);
    const tenant = {
      id: plan.devTenant,
      siteId: id,
      siteTenant: plan.adminTenant,
      baseUrl: plan.devUrl,
      owner: OWNER,
      adminUser: 'admin',
      description: `A tenant of site ${id} to try things in`,
    };
    await addTenant(registry, keys, tenant, say);
  }

  /** Resolves when the site serves, with what its launcher says of the sample. */
  async start(
    plan: SitePlan,
    dataDir: string,
    env: Record<string, string | undefined>,
    sample: boolean,
  ): Promise<boolean> {
    this.plans.set(plan.id, plan);
    const child = fork(join(__dirname, 'main.js'), sample ? [] : ['--no-sample'], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Ctrl-C at the terminal reaches this process alone, which ends the others in order
      detached: true,
      env: {
        ...environment(),
        SITE_ID: plan.id,
        PORT: new URL(plan.adminUrl).port,
        DATA_DIR: dataDir,
        PRIMARY_URL: plan.primaryUrl,
        ...env,
      },
    });
    this.children.push(child);
    return ready(child, plan.id);
  }

  /** The address of a site is in the registry: it keeps its port. */
  private async portOf(registry: PublicApi, id: string): Promise<number> {
    const known = await registry.find<{ base_url: string }>(`/v3/sites/${id}`);
    if (known) return Number(new URL(known.base_url).port);
    return freePort(this.settings.host, this.settings.port + this.plans.size);
  }
}

function ready(child: ChildProcess, id: string): Promise<boolean> {
  return new Promise((done, failed) => {
    child.once('message', (message: { good?: boolean }) => done(message.good === true));
    child.once('exit', () => failed(new Problem(`Site ${id} ended; see what it said above.`)));
  });
}

/** Databases of their own on the server that the sites share. */
function databaseOf(url: string, id: string): string {
  const own = new URL(url);
  const before = own.pathname.slice(1);
  own.pathname = before && before !== 'postgres' ? `${before}_${id}` : id;
  return own.toString();
}
