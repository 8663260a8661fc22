export * from './api-error';
export * from './api-errors';
export * from './envelope';
export * from './list-metadata';
export * from './problem';
export * from './recoverable';
export * from './reply';
export * from './violations';
