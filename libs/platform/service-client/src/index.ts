export { HttpDirectory } from './http-directory';
export { KeptDirectory } from './kept-directory';
export { HttpRevocations } from './http-revocations';
export { OwnTokens, PasswordTokens } from './own-tokens';
export { routeTo, type Route } from './route';
export {
  path,
  ServiceCalls,
  type CallOptions,
  type FullAnswer,
  type JsonCall,
  type OnBehalfOf,
  type StreamCall,
} from './service-calls';
export { ServiceClient } from './service-client';
export {
  loopbackLookup,
  Transport,
  unreachable,
  type HttpAnswer,
  type HttpCall,
} from './transport';
