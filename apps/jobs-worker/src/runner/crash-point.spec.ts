import type { JobsWorkerSettings } from '../settings';
import { CrashPoint } from './crash-point';

const settings = (more: Partial<JobsWorkerSettings>) => more as JobsWorkerSettings;

it('is refused in production and for words it does not know', () => {
  const production = settings({ crashAt: 'RUNNING', nodeEnv: 'production' });
  expect(() => new CrashPoint(production)).toThrow('production');
  expect(() => new CrashPoint(settings({ crashAt: 'RUNNING:after' }))).toThrow(':after');
  expect(() => new CrashPoint(settings({ nodeEnv: 'production' }))).not.toThrow();
});
