import { Choice, Flag, Items, Json, Text } from '@libs/fields';

export const FILE_INPUT_MODES = ['REQUIRED', 'OPTIONAL', 'FIXED'] as const;
export type FileInputMode = (typeof FILE_INPUT_MODES)[number];

const NAME = { max: 80 };
const ENV_KEY = { optional: true, min: 1, max: 255 };
const TARGET = { optional: true, min: 1, max: 4096 };

export class FileInput {
  @Text(NAME) name!: string;
  @Text({ optional: true, max: 8096, multiline: true }) description?: string;
  @Choice(FILE_INPUT_MODES, { default: 'OPTIONAL' }) inputMode!: FileInputMode;
  @Flag({ default: true, description: 'Inputs in place are mounted into containers' })
  autoMountLocal!: boolean;
  @Text(ENV_KEY) envKey?: string;
  @Text({ optional: true, min: 1, max: 4096 }) sourceUrl?: string;
  @Text(TARGET) targetPath?: string;
  @Json({ optional: true }) notes?: Record<string, unknown>;
}

export class FileInputArray {
  @Text(NAME) name!: string;
  @Text({ optional: true, max: 8096, multiline: true }) description?: string;
  @Choice(FILE_INPUT_MODES, { default: 'OPTIONAL' }) inputMode!: FileInputMode;
  @Text(ENV_KEY) envKey?: string;
  @Items(String, { optional: true, max: 4096 }) sourceUrls?: string[];
  @Text(TARGET) targetDir?: string;
  @Json({ optional: true }) notes?: Record<string, unknown>;
}
