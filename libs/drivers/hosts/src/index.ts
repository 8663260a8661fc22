export * from './host';
export * from './host-errors';
export { fingerprintOf, type HostAuth, type HostLogin } from './host-login';
export * from './host-pool';
export * from './quote';
export * from './sftp';
export { pumpFile, type PumpOptions, SourceFailed } from './sftp-pump';
export { sharedHostPool } from './shared-pool';
