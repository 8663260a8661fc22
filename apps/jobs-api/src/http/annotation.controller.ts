import { Caller } from '@libs/auth';
import { reply } from '@libs/envelope';
import { Items, Json, Text } from '@libs/fields';
import { Gives, IfMatch } from '@libs/service-kit';
import { Body, Controller, Param, Patch, Put } from '@nestjs/common';
import { AnnotationActions } from '../actions/annotation.actions';

class AnnotationRequest {
  @Items(String, { min: 1, max: 126, optional: true }) tags?: string[];
  @Json({ optional: true }) notes?: Record<string, unknown>;
}

class AnnotationRecord {
  @Text() uuid!: string;
  @Items(String) tags!: string[];
  @Json() notes!: Record<string, unknown>;
}

const PATHS = [':uuid/annotation', ':uuid/annotations'];

@Controller('v3/jobs')
export class AnnotationController {
  constructor(private readonly annotations: AnnotationActions) {}

  @Patch(PATHS)
  @Gives(AnnotationRecord)
  async patch(
    @Caller() caller: Caller,
    @Param('uuid') uuid: string,
    @Body() body: AnnotationRequest,
    @IfMatch() ifMatch?: string,
  ) {
    const result = await this.annotations.patch(caller, uuid, body, ifMatch);
    return reply('JOBS_JOB_ANNOTATION_PATCHED', `annotation of job ${uuid}`, result);
  }

  @Put(PATHS)
  @Gives(AnnotationRecord)
  async replace(
    @Caller() caller: Caller,
    @Param('uuid') uuid: string,
    @Body() body: AnnotationRequest,
    @IfMatch() ifMatch?: string,
  ) {
    const result = await this.annotations.replace(caller, uuid, body, ifMatch);
    return reply('JOBS_JOB_ANNOTATION_UPDATED', `annotation of job ${uuid}`, result);
  }
}
