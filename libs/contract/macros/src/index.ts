export * from './directories';
export * from './expand';
export * from './host-eval';
export * from './macro-error';
export * from './paths';
export * from './shell-words';
