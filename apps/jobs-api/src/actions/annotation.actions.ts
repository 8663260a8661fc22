import type { Caller } from '@libs/auth';
import { Conflict, Violations } from '@libs/envelope';
import { JobsStore } from '@libs/jobs-store';
import { requireMatch } from '@libs/service-kit';
import { Injectable } from '@nestjs/common';
import { jobTag } from '../domain/job-tag';
import { JobAccess } from './job-access';

export interface Annotation {
  tags?: string[];
  notes?: Record<string, unknown>;
}

const MAX_TAGS = 131_072;
const MAX_NOTES = 65_536;
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Tags and notes of a job, also of one that has ended. */
@Injectable()
export class AnnotationActions {
  constructor(
    private readonly store: JobsStore,
    private readonly access: JobAccess,
  ) {}

  /** Adds tags, adds or overwrites top-level keys of the notes. */
  patch(caller: Caller, uuid: string, given: Annotation, ifMatch?: string) {
    return this.change(caller, uuid, ifMatch, (now) => ({
      tags: given.tags && [...new Set([...now.tags, ...given.tags])].sort(),
      notes: given.notes && { ...now.notes, ...given.notes },
    }));
  }

  /** Replaces what is given. */
  replace(caller: Caller, uuid: string, given: Annotation, ifMatch?: string) {
    return this.change(caller, uuid, ifMatch, () => ({
      tags: given.tags && [...new Set(given.tags)].sort(),
      notes: given.notes,
    }));
  }

  private async change(
    caller: Caller,
    uuid: string,
    ifMatch: string | undefined,
    change: (now: Required<Annotation>) => Annotation,
  ) {
    const job = await this.access.toChange(caller, uuid);
    if (!job.visible) throw new Conflict('JOBS_JOB_NOT_VISIBLE', `job ${uuid} is hidden`);
    const changed = await this.store.change(job.tenant, uuid, (now) => {
      requireMatch(ifMatch, jobTag(now), `job ${uuid}`);
      return checked(change(now));
    });
    const { tags, notes } = changed!;
    return { uuid, tags, notes };
  }
}

function checked(annotation: Annotation): Annotation {
  const violations = new Violations();
  const { tags = [], notes = {} } = annotation;
  violations.check(sizeOf(tags) <= MAX_TAGS, `tags: have more than ${MAX_TAGS} bytes`);
  violations.check(sizeOf(notes) <= MAX_NOTES, `notes: have more than ${MAX_NOTES} bytes`);
  violations.throwIfAny('JOBS_ANNOTATION_TOO_LARGE', 'the annotation is not valid');
  return annotation;
}
