import { Text, Whole } from '@libs/fields';

const MOST = 1_000;

export class EventsQuery {
  @Whole({ default: 100, min: 1, max: MOST }) limit!: number;
  @Whole({
    optional: true,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Older than this id',
  })
  before?: number;
  @Text({ optional: true, max: 120 }) username?: string;
  @Text({ optional: true, max: 80 }) client_id?: string;
}

/** For the API document: who asked, how, from where, and what came of it; of changes, by whom and of what. */
export class EventAnswer {
  @Whole({ max: Number.MAX_SAFE_INTEGER }) id!: number;
  @Text({ description: 'ISO 8601' }) time!: string;
  @Text({
    description:
      'token, authorize, device, login, second_factor, revoke, account, config and the like',
  })
  event!: string;
  @Text({ description: 'ISSUED, PASSED and the like, or the code of the refusal' })
  outcome!: string;
  @Whole() status!: number;
  @Text({ nullable: true }) username!: string | null;
  @Text({ nullable: true }) client_id!: string | null;
  @Text({ nullable: true }) grant_type!: string | null;
  @Text() address!: string;
  @Text({ nullable: true }) tracking_id!: string | null;
  @Text({ nullable: true, description: 'Who made the change' }) by!: string | null;
  @Text({ nullable: true, description: 'Names of what was changed' }) details!: string | null;
}
