export const TENANT_STATUSES = ['DRAFT', 'ACTIVE', 'INACTIVE'] as const;
export type TenantStatus = (typeof TENANT_STATUSES)[number];

/** Where each status leads: a tenant that was active once is never a draft again (platform contract, 3.4). */
const NEXT: Record<TenantStatus, readonly TenantStatus[]> = {
  DRAFT: ['ACTIVE'],
  ACTIVE: ['INACTIVE'],
  INACTIVE: ['ACTIVE'],
};

export const mayBecome = (from: TenantStatus, to: TenantStatus): boolean =>
  from === to || NEXT[from].includes(to);
