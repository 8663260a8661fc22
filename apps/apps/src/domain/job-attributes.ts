import { Choice, Flag, Items, Part, Text, Whole } from '@libs/fields';
import { FileInput, FileInputArray } from './file-input';
import { ParameterSet } from './parameter-set';
import { Subscription } from './subscription';

export const ARCHIVE_MODES = ['ALWAYS', 'SKIP_ON_FAIL', 'NEVER'] as const;
export type ArchiveMode = (typeof ARCHIVE_MODES)[number];

const PATH = { optional: true, min: 1, max: 4096 };
const COMMAND = { optional: true, nullable: true, min: 1, max: 126 };

/** What jobs of an app start from; a job request may override it. */
export class JobAttributes {
  @Text({ optional: true, max: 2048, multiline: true }) description?: string;
  @Flag({ default: false, search: true, description: 'Not supported: stays false' })
  dynamicExecSystem!: boolean;
  @Items(String, { optional: true, min: 3, description: 'Not supported: stays unset' })
  execSystemConstraints?: string[];
  @Text({ optional: true, max: 80, search: true }) execSystemId?: string;
  @Text({ ...PATH, search: true }) execSystemExecDir?: string;
  @Text({ ...PATH, search: true }) execSystemInputDir?: string;
  @Text({ ...PATH, search: true }) execSystemOutputDir?: string;
  @Text({ ...PATH, search: true, description: 'Default: the marker for no transfer node' })
  dtnSystemInputDir?: string;
  @Text({ ...PATH, search: true }) dtnSystemOutputDir?: string;
  @Text({ optional: true, max: 128, search: true }) execSystemLogicalQueue?: string;
  @Text({ optional: true, max: 80, search: true }) archiveSystemId?: string;
  @Text({ ...PATH, search: true }) archiveSystemDir?: string;
  @Flag({ optional: true, description: 'Older form of archiveMode', search: true })
  archiveOnAppError?: boolean;
  @Choice(ARCHIVE_MODES, { optional: true, search: true }) archiveMode?: ArchiveMode;
  @Flag({ default: false, search: true }) isMpi!: boolean;
  @Text({ ...COMMAND, search: true }) mpiCmd?: string | null;
  @Text({ ...COMMAND, max: 4096, search: true }) cmdPrefix?: string | null;
  @Part(ParameterSet, { default: {} }) parameterSet!: ParameterSet;
  @Items(FileInput, { default: [], unique: 'name' }) fileInputs!: FileInput[];
  @Items(FileInputArray, { default: [], unique: 'name' }) fileInputArrays!: FileInputArray[];
  @Whole({ default: 1, min: 1, search: true }) nodeCount!: number;
  @Whole({ default: 1, min: 1, search: true }) coresPerNode!: number;
  @Whole({ default: 100, min: 1, search: true }) memoryMB!: number;
  @Whole({ default: 10, min: 1, search: true }) maxMinutes!: number;
  @Items(Subscription, { default: [] }) subscriptions!: Subscription[];
  @Items(String, { default: [], unique: true, max: 128 }) tags!: string[];
}
