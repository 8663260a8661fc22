export * from './chromium';
export * from './docker';
export * from './free-ports';
export * from './page-browser';
export * from './postgres';
export * from './rabbit';
export * from './service-process';
export * from './slapd';
export * from './s3';
export * from './sshd';
export * from './until';
export {
  call,
  PlatformDouble,
  TokenSigner,
  type CallAnswer,
  type CallOptions,
  type DoubleHandler,
  type DoubleRequest,
  type TokenSpec,
} from './platform-double';
export * from './search-breaker';
export * from './search-evaluator';
export { HOSTILE, searches, type GeneratedSearch } from './search-generator';
export * from './plans';
