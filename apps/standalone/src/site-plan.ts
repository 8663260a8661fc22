import type { ServiceDefinition } from '@libs/service-kit';
import type { LauncherSettings } from './launcher-settings';
import { Problem } from './problem';
import { PRIMARY } from './primary';
import { SERVICES } from './services';

/** The registry: at the primary site only. */
const REGISTRY = 'tenants';
/** What every site runs (platform contract, 2.6). */
const ALWAYS = ['security', 'tokens'];

/** One site of an installation on this machine: its names and what it runs. */
export interface SitePlan {
  id: string;
  primary: boolean;
  adminTenant: string;
  adminUrl: string;
  /** A tenant to try things in, with test accounts. */
  devTenant: string;
  devUrl: string;
  /** Where the registry is. */
  primaryUrl: string;
  services: readonly ServiceDefinition[];
  /** What it leaves to the primary. */
  elsewhere: readonly ServiceDefinition[];
}

export const urlOf = (tenant: string, port: number): string => `http://${tenant}.localhost:${port}`;

type PlanSettings = Pick<LauncherSettings, 'siteId' | 'port' | 'primaryUrl' | 'siteServices'>;

/** The site that these settings describe: the primary one, or an associate of the primary at PRIMARY_URL. */
export function planOf({ siteId: id, port, primaryUrl, siteServices }: PlanSettings): SitePlan {
  if (id === PRIMARY) {
    const adminUrl = urlOf('admin', port);
    const names = { adminTenant: 'admin', devTenant: 'dev', devUrl: `http://localhost:${port}` };
    const services = SERVICES;
    return { id, primary: true, adminUrl, ...names, primaryUrl: adminUrl, services, elsewhere: [] };
  }
  const chosen = [...ALWAYS, ...namesIn(siteServices)];
  const runs = ({ identity }: ServiceDefinition) => chosen.includes(identity);
  return {
    id,
    primary: false,
    adminTenant: `${id}-admin`,
    adminUrl: urlOf(`${id}-admin`, port),
    devTenant: `${id}-dev`,
    devUrl: urlOf(`${id}-dev`, port),
    primaryUrl,
    services: SERVICES.filter(runs),
    elsewhere: SERVICES.filter((service) => !runs(service)),
  };
}

/** The names services have in tokens; workers share the one of their API. */
export const identitiesOf = (services: readonly { identity: string }[]): string[] => [
  ...new Set(services.map((service) => service.identity)),
];

function namesIn(text: string): string[] {
  const names = text.split(/[,+\s]+/).filter(Boolean);
  const known = identitiesOf(SERVICES).filter((name) => name !== REGISTRY);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length)
    throw new Problem(
      `An associate site can't run ${unknown.join(', ')}: choose from ${known.join(', ')}.`,
    );
  return names;
}
