import type { Step } from './step';

/** What is launched under FORK runs. */
export const queued: Step = () => Promise.resolve({ to: 'RUNNING' });
