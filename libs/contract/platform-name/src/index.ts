export * from './platform-name';
