export * from './blocked-cause';
export * from './define-states';
export * from './job-condition';
export * from './job-status';
export * from './job-definition';
export * from './subscription';
