import { Items, Text } from '@libs/fields';
import { ID } from './names';

export const HIDDEN_OPTIONS = ['MEM', 'PARTITION'] as const;

/** Modules that are loaded before an application runs. */
export class ModuleLoad {
  @Text({ max: 4096, description: 'For example `module load`' }) moduleLoadCommand!: string;
  @Items(String, { optional: true, unique: true, max: 1024 }) modulesToLoad?: string[];
}

/** How jobs of a site's scheduler begin, for the systems that name it. */
export class NewSchedulerProfile {
  @Text({ max: 80, ...ID }) name!: string;
  @Text({ optional: true, max: 2048, multiline: true }) description?: string;
  @Text({ optional: true, max: 60, description: 'Default: the caller' }) owner?: string;
  @Items(ModuleLoad, { default: [], unique: true, maxItems: 100 }) moduleLoads!: ModuleLoad[];
  @Items(HIDDEN_OPTIONS, {
    default: [],
    unique: true,
    description: 'MEM: batch headers have no --mem; PARTITION: no --partition',
  })
  hiddenOptions!: (typeof HIDDEN_OPTIONS)[number][];
}
