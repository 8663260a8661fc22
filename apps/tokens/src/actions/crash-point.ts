import { TokensSettings } from '../settings';

export const CRASH_POINTS = ['rotation:made', 'rotation:published', 'rotation:told'] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

/** For tests of recovery: ends the process by SIGKILL when the setting names this point. */
export function crashPoint({ crashAt, nodeEnv }: TokensSettings, point: CrashPoint): void {
  if (crashAt === point && nodeEnv !== 'production') process.kill(process.pid, 'SIGKILL');
}
