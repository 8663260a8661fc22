export { ended } from './fork/foreground';
export * from './host-script';
export * from './launcher';
export * from './schedulers';
export * from './signal-channel';
