import { Choice, Json, Text } from '@libs/fields';

export const INPUT_MODES = [
  'REQUIRED',
  'FIXED',
  'INCLUDE_ON_DEMAND',
  'INCLUDE_BY_DEFAULT',
] as const;

/** A variable every job on the system gets, or must be given. */
export class JobEnvVariable {
  @Text({ max: 255 }) key!: string;
  @Text({ optional: true, max: 65_536, trim: false }) value?: string;
  @Text({ optional: true, max: 2048, multiline: true }) description?: string;
  @Choice(INPUT_MODES, { default: 'INCLUDE_BY_DEFAULT' }) inputMode!: (typeof INPUT_MODES)[number];
  @Json({ default: {} }) notes!: Record<string, unknown>;
}
