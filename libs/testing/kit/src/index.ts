export * from './postgres';
export * from './sshd';
export * from './until';
