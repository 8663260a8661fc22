export * from './postgres';
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
