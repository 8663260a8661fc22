/** Everybody who is logged in to the tenant. */
export const PUBLIC_GRANTEE = '~public';
/** Everybody. */
export const PUBLIC_NO_AUTHN_GRANTEE = '~public_no_authn';

export interface ShareKey {
  tenant: string;
  grantor: string;
  grantee: string;
  resourceType: string;
  resourceId1: string;
  resourceId2?: string | null;
  privilege: string;
}

export interface Share extends ShareKey {
  id: number;
  resourceId2: string | null;
  created: string;
  createdBy: string;
  createdByTenant: string;
}

export interface ShareFilter extends Partial<Omit<ShareKey, 'resourceId2'>> {
  tenant: string;
  resourceId2?: string;
  createdBy?: string;
  createdByTenant?: string;
  includePublicGrantees?: boolean;
  requireNullId2?: boolean;
}

export interface PrivilegeQuestion {
  tenant: string;
  grantee: string;
  resourceType: string;
  resourceId1: string;
  resourceId2?: string;
  privilege: string;
  excludePublic?: boolean;
  excludePublicNoAuthn?: boolean;
}
