export * from './file-access';
export * from './file-uri';
export * from './store-address';
export * from './system-record';
export { missing, SystemsClient } from './systems-client';
