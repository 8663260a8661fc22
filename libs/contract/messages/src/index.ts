export * from './define-message';
export * from './messages';
