import { Items, Json, Text, Whole } from '@libs/fields';
import { TENANT_LENGTH } from './limits';

/** Whose secret it is; the query adds what its type needs. */
export class SecretOwner {
  @Text({ min: 1, max: TENANT_LENGTH }) tenant!: string;
  @Text({ min: 1, max: 60 }) user!: string;
}

/** What secrets of type system and dbcred are told apart by (platform contract, 5.9). */
export class SecretPlaceQuery {
  @Text({ optional: true, max: 80 }) sysid?: string;
  @Text({ optional: true, max: 60 }) sysuser?: string;
  @Text({ optional: true, max: 20 }) keytype?: string;
  @Text({ optional: true, max: 256 }) dbhost?: string;
  @Text({ optional: true, max: 80 }) dbname?: string;
  @Text({ optional: true, max: 80 }) dbservice?: string;
}

export class SecretQuery extends SecretPlaceQuery {
  @Text({ min: 1, max: TENANT_LENGTH }) tenant!: string;
  @Text({ min: 1, max: 60 }) user!: string;
  @Whole({ default: 0, min: 0, description: 'A version; 0 for the latest' }) version!: number;
}

export class NewSecret extends SecretOwner {
  @Json({ values: 'text', description: 'Texts by name; <generate-secret> asks for a made value' })
  data!: Record<string, string>;
  @Json({ optional: true }) options?: Record<string, unknown>;
}

export class SecretVersions extends SecretOwner {
  @Items(Number, { description: 'Versions; none for all, 0 for the latest' }) versions!: number[];
}

export class ServicePassword extends SecretOwner {
  @Text({ min: 1, max: 200, trim: false }) password!: string;
}
