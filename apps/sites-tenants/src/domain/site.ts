import { Flag, Items, Text } from '@libs/fields';

const ID = /^[a-zA-Z0-9-]*$/;

/** A site of the installation (platform contract, 3.2). */
export class Site {
  @Text({ max: 50, match: ID }) site_id!: string;
  @Flag({ description: 'One site of an installation is the primary one' }) primary!: boolean;
  @Text({ max: 2000 }) base_url!: string;
  @Text({
    max: 2000,
    nullable: true,
    default: null,
    description: 'Holds ${tenant_id}; primary site only',
  })
  tenant_base_url_template!: string | null;
  @Text({ max: 50 }) site_admin_tenant_id!: string;
  @Items(String, { match: ID, unique: true, description: 'Services that the site runs' })
  services!: string[];
}
