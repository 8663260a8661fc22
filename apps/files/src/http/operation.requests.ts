import { Choice, Flag, Text, Whole } from '@libs/fields';

/** Parameters by which services say for whom they ask. */
export class ContextQuery {
  @Text({ optional: true, min: 1, max: 60, description: 'Service jobs only: act as this user' })
  impersonationId?: string;

  @Text({ optional: true, min: 1, max: 60, description: 'Services only: who shared the app' })
  sharedCtx?: string;
}

export class ListQuery extends ContextQuery {
  @Whole({ default: 1000, min: 1, max: 1000 }) limit!: number;
  @Whole({ default: 0, min: 0 }) offset!: number;
  @Flag({ default: false, description: 'Down to a depth of 20' }) recurse!: boolean;

  @Text({ default: '*', min: 1, max: 256, description: 'A glob on the name, or regex:…' })
  pattern!: string;
}

export class NewDirectory {
  @Text({ max: 4096, trim: false }) path!: string;
}

export class MoveOrCopy {
  @Choice(['MOVE', 'COPY']) operation!: 'MOVE' | 'COPY';
  @Text({ max: 4096, trim: false }) newPath!: string;
}

export class ContentQuery extends ContextQuery {
  @Flag({ default: false, description: 'A directory (or file) as a zip' }) zip!: boolean;
  @Whole({ optional: true, min: 0, max: Number.MAX_SAFE_INTEGER }) startByte?: number;
  @Whole({ optional: true, min: 1, max: Number.MAX_SAFE_INTEGER }) count?: number;
}

export class StatQuery extends ContextQuery {
  @Flag({ default: false }) followLinks!: boolean;
}

export class NativeQuery extends ContextQuery {
  @Flag({ default: false }) recursive!: boolean;
}

export class NativeOperation {
  @Choice(['CHMOD', 'CHOWN', 'CHGRP']) operation!: 'CHMOD' | 'CHOWN' | 'CHGRP';
  @Text({ max: 256 }) argument!: string;
}
