import { Choice, Flag, Items, Json, Part, Text } from '@libs/fields';

export const INPUT_MODES = [
  'REQUIRED',
  'FIXED',
  'INCLUDE_ON_DEMAND',
  'INCLUDE_BY_DEFAULT',
] as const;
export type InputMode = (typeof INPUT_MODES)[number];

export class Arg {
  @Text({ max: 80 }) name!: string;
  @Text({ optional: true, max: 8096, multiline: true }) description?: string;
  @Choice(INPUT_MODES, { default: 'INCLUDE_ON_DEMAND' }) inputMode!: InputMode;
  @Text({ optional: true, min: 1, max: 65_536, trim: false }) arg?: string;
  @Json({ optional: true }) notes?: Record<string, unknown>;
}

export class EnvVariable {
  @Text({ max: 255 }) key!: string;
  @Text({ default: '', max: 65_536, trim: false }) value!: string;
  @Text({ optional: true, max: 2048, multiline: true }) description?: string;
  @Choice(INPUT_MODES, { default: 'INCLUDE_BY_DEFAULT' }) inputMode!: InputMode;
  @Json({ default: {} }) notes!: Record<string, unknown>;
}

export class ArchiveFilter {
  @Items(String, { default: [], max: 4096 }) includes!: string[];
  @Items(String, { default: [], max: 4096 }) excludes!: string[];
  @Flag({ default: true }) includeLaunchFiles!: boolean;
}

export class LogConfig {
  @Text({ max: 255 }) stdoutFilename!: string;
  @Text({ max: 255 }) stderrFilename!: string;
}

export class ParameterSet {
  @Items(Arg, { default: [], unique: 'name' }) appArgs!: Arg[];
  @Items(Arg, { default: [], unique: 'name' }) containerArgs!: Arg[];
  @Items(Arg, { default: [], unique: 'name' }) schedulerOptions!: Arg[];
  @Items(EnvVariable, { default: [], unique: 'key' }) envVariables!: EnvVariable[];
  @Part(ArchiveFilter, { default: {} }) archiveFilter!: ArchiveFilter;
  @Part(LogConfig, { optional: true }) logConfig?: LogConfig;
}
