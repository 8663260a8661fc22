import { Text } from '@libs/fields';

/** What a grant needs; which of it depends on the grant (platform contract, 6.3). */
export class TokenRequest {
  @Text({ max: 40, description: 'password' }) grant_type!: string;
  @Text({ optional: true, max: 120 }) username?: string;
  @Text({ optional: true, max: 1024, trim: false }) password?: string;
}
