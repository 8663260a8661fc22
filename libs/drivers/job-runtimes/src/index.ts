export * from './control-files';
export * from './docker/docker';
export * from './launch-plan';
export * from './runtime';
export * from './runtimes';
export * from './unlaunchable';
export * from './words';
export { keepsArchive } from './zip/zip';
