import { setPlatformName } from '@libs/platform-name';
import { ServiceSettings } from './service-settings';

/** The platform has one name per process; whoever loads the settings of a service sets it. */
export function applyPlatformName(settings: object): void {
  if (settings instanceof ServiceSettings) setPlatformName(settings.platformName);
}
