import { Flag, Text, Whole } from '@libs/fields';
import {
  ACCOUNT_NAME,
  LONGEST_ACCOUNT_NAME,
  LONGEST_PASSWORD,
  SHORTEST_PASSWORD,
} from '../domain/account';

const PASSWORD = { min: SHORTEST_PASSWORD, max: LONGEST_PASSWORD, trim: false };

class Profile {
  @Text({ optional: true, nullable: true, max: 120 }) given_name?: string | null;
  @Text({ optional: true, nullable: true, max: 120 }) last_name?: string | null;
  @Text({ optional: true, nullable: true, max: 254, match: /^[^\s@]+@[^\s@]+$/ })
  email?: string | null;
  @Text({ optional: true, nullable: true, max: 40 }) phone?: string | null;
  @Text({ optional: true, nullable: true, max: 40 }) mobile_phone?: string | null;
  @Flag({ optional: true, description: 'Whether the person may log in' }) enabled?: boolean;
}

export class AccountRequest extends Profile {
  @Text({ max: LONGEST_ACCOUNT_NAME, match: ACCOUNT_NAME }) username!: string;
  @Text(PASSWORD) password!: string;
}

/** What is left out stays. */
export class AccountPatch extends Profile {
  @Text({ ...PASSWORD, optional: true }) password?: string;
}

export class PasswordRequest {
  @Text({ max: LONGEST_PASSWORD, trim: false, description: 'The present one' })
  old_password!: string;
  @Text(PASSWORD) new_password!: string;
}

export class AccountsQuery {
  @Whole({ min: 1, max: 1000, default: 100 }) limit!: number;
  @Whole({ min: 0, default: 0 }) offset!: number;
}

/** An account of the platform's own directory. */
export class AccountResult extends Profile {
  @Text() username!: string;
  @Flag({ description: 'Whether one-time codes are asked for' }) second_factor!: boolean;
  @Text() create_time!: string;
  @Text() last_update_time!: string;
}
