export * from './platform-name';
export * from './platform-names';
