export * from './monitor';
export * from './news';
export type { MonitorOptions } from './options';
