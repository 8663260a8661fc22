import { Choice, Flag, Items, Json, Text } from '@libs/fields';
import { ENV_NAME } from './names';

export const FILE_INPUT_MODES = ['REQUIRED', 'OPTIONAL', 'FIXED'] as const;
export type FileInputMode = (typeof FILE_INPUT_MODES)[number];

const NAME = {
  max: 80,
  match: ENV_NAME,
  rule: 'must begin with a letter or underscore, then letters, digits, underscores',
};
const ENV_KEY = { ...NAME, optional: true, max: 255 };

export class FileInput {
  @Text(NAME) name!: string;
  @Text({ optional: true, max: 8096, multiline: true }) description?: string;
  @Choice(FILE_INPUT_MODES, { default: 'OPTIONAL' }) inputMode!: FileInputMode;
  @Flag({ default: true, description: 'Inputs in place are mounted into containers' })
  autoMountLocal!: boolean;
  @Text(ENV_KEY) envKey?: string;
  @Text({ optional: true, min: 1, max: 4096 }) sourceUrl?: string;
  @Text({ optional: true, max: 4096 }) targetPath?: string;
  @Json({ optional: true }) notes?: Record<string, unknown>;
}

export class FileInputArray {
  @Text(NAME) name!: string;
  @Text({ optional: true, max: 8096, multiline: true }) description?: string;
  @Choice(FILE_INPUT_MODES, { default: 'OPTIONAL' }) inputMode!: FileInputMode;
  @Text(ENV_KEY) envKey?: string;
  @Items(String, { optional: true, max: 4096 }) sourceUrls?: string[];
  @Text({ optional: true, max: 4096 }) targetDir?: string;
  @Json({ optional: true }) notes?: Record<string, unknown>;
}
