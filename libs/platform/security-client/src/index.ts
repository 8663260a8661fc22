export { implies, isPathPermission } from './implies';
export { PermissionIndex } from './permission-index';
export type { SecretRef, SecretType, SecretVersion } from './secrets';
export { SecurityClient, type Who } from './security-client';
export {
  PUBLIC_GRANTEE,
  PUBLIC_NO_AUTHN_GRANTEE,
  type PrivilegeQuestion,
  type Share,
  type ShareFilter,
  type ShareKey,
} from './shares';
export * from './resource-access';
export { ResourcePermissions } from './resource-permissions';
export { ResourceShares, type ShareInfo } from './resource-shares';
export { SharedResources } from './shared-resources';
export { waysToSee } from './ways-to-see';
export { UserDirectory } from './user-directory';
