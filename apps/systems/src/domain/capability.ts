import { Choice, Text, Whole } from '@libs/fields';

const CATEGORIES = [
  'SCHEDULER',
  'OS',
  'HARDWARE',
  'SOFTWARE',
  'JOB',
  'CONTAINER',
  'MISC',
  'CUSTOM',
] as const;
const DATATYPES = ['STRING', 'INTEGER', 'BOOLEAN', 'NUMBER', 'TIMESTAMP'] as const;

/** Something the system can do, for whoever chooses one. */
export class Capability {
  @Choice(CATEGORIES) category!: (typeof CATEGORIES)[number];
  @Text({ max: 128 }) name!: string;
  @Choice(DATATYPES) datatype!: (typeof DATATYPES)[number];
  @Whole({ default: 100 }) precedence!: number;
  @Text({ optional: true, max: 128 }) value?: string;
}

export const RUNTIME_TYPES = ['DOCKER', 'SINGULARITY', 'ZIP'] as const;

/** A container runtime that is installed on the host. */
export class JobRuntime {
  @Choice(RUNTIME_TYPES) runtimeType!: (typeof RUNTIME_TYPES)[number];
  @Text({ nullable: true, default: null, max: 128 }) version!: string | null;
}
