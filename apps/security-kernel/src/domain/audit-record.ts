import { fieldsOf, Json, Moment, Text, Whole } from '@libs/fields';

/** One change of something in the security kernel. */
export class AuditRecord {
  @Whole({ search: true, summary: true, max: Number.MAX_SAFE_INTEGER }) id!: number;
  @Moment({ search: true, summary: true }) created!: Date;
  @Text({ summary: true }) tenant!: string;
  @Text({ search: true, summary: true, description: 'role.create, user.grantPermission …' })
  action!: string;
  @Text({ search: true, summary: true, description: 'The role, user, share or secret' })
  object!: string;
  @Json({ summary: true, description: 'What was asked for; never a secret' }) details!: object;
  @Text({ search: true, summary: true, description: 'Tenant of the token' }) jwtTenant!: string;
  @Text({ search: true, summary: true, description: 'Who did it: subject of the token' })
  jwtUser!: string;
  @Text({ search: true, summary: true }) oboTenant!: string;
  @Text({ search: true, summary: true, description: 'On whose behalf' }) oboUser!: string;
  @Text({ nullable: true, optional: true, summary: true, description: 'user@tenant' })
  delegator!: string | null;
  @Text({ search: true, summary: true, description: 'Tracking id of the request' })
  trackingId!: string;
}

export const AUDIT_ATTRIBUTES = fieldsOf(AuditRecord);
