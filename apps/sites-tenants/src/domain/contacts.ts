import { Choice, Flag, Text, Whole } from '@libs/fields';
import { ID, ID_RULE } from './names';

/** Whom to ask about a tenant. */
export class Owner {
  @Text({ max: 80 }) name!: string;
  @Text({ max: 120, match: /^[^@\s]+@[^@\s]+$/, rule: 'must be an e-mail address' }) email!: string;
  @Text({ max: 80 }) institution!: string;
}

/** How to reach a directory of people; the password itself lies in the security kernel. */
export class Ldap {
  @Text({ max: 50, match: ID, rule: ID_RULE }) ldap_id!: string;
  @Text({ max: 2000, description: 'ldap://host or ldaps://host' }) url!: string;
  @Whole({ min: 1, max: 65_535 }) port!: number;
  @Flag({}) use_ssl!: boolean;
  @Text({ max: 200, description: 'Where people are; may hold <attribute>=${username}' })
  user_dn!: string;
  @Text({ max: 200 }) bind_dn!: string;
  @Text({
    max: 200,
    match: /^[A-Za-z0-9_.+-]+$/,
    rule: 'must be the name of a secret (letters, digits and _ . + -), never the password itself',
    description:
      "Name of the authenticator's secret in the security kernel that holds the password",
  })
  bind_credential!: string;
  @Choice(['user', 'service']) account_type!: 'user' | 'service';
}
