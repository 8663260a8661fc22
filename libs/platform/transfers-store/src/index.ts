export * from './transfer-rows';
export * from './transfer-states';
export * from './transfers-database';
export { TransfersStore } from './transfers-store';
export * from './transfers-work';
