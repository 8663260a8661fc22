import { Items, Json, Text, Whole } from '@libs/fields';

const DAY = 86_400;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export class IdentityRequest {
  @Text({ max: 80, description: 'The client it is meant for' }) audience!: string;
  @Whole({ min: 1, max: DAY, description: 'Seconds' }) ttl!: number;
  @Json({ description: 'What else it says: nonce, email, name and the like' })
  claims!: Record<string, unknown>;
}

export class IssuedToken {
  @Text({ match: UUID, max: 36 }) jti!: string;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Its exp' }) exp!: number;
}

export class RevokeIssued {
  @Items(IssuedToken, { minItems: 1, maxItems: 1000 }) tokens!: IssuedToken[];
}
