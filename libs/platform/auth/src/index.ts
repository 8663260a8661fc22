export { AccessCheck, tokenIn } from './access-check';
export { AccessGuard } from './access.guard';
export { Caller, type AccountType, type AuthenticatedRequest } from './caller';
export {
  DirectorySource,
  keysOf,
  type Directory,
  type SiteEntry,
  type TenantEntry,
  type TenantKey,
} from './directory';
export {
  requestContext,
  runInContext,
  type IdempotencyKey,
  type RequestContext,
} from './request-context';
export { Revocations, RevocationSource } from './revocations';
export {
  AnySite,
  Audience,
  Public,
  Repeatable,
  ServicesOnly,
  PUBLIC,
  SERVICES_ONLY,
} from './route-access';
export { byPrimarysAuthenticator } from './routing-problem';
export { canonicalHost, Tenants } from './tenants';
export { keyId, TokenVerifier, type CheckedToken } from './token-verifier';
