import { platform } from '@libs/platform-name';

/**
 * What one launch keeps on the host, in a private folder of its own under the execution directory: other jobs may
 * share that directory, and a program may do in it what it likes.
 */
export function controlDir(uuid: string): string {
  return `.${platform().lower}job-${uuid}`;
}

export const CONTROL = {
  /** Made atomically by the one script that may run; says who it is. */
  claim: 'claim',
  /** Exit code and time, once it is over. */
  end: 'end',
  /** The executable of an unpacked app. */
  app: 'app',
  /** What a container engine answered to the launch. */
  container: 'container',
  /** Exit code of an engine that refused the launch. */
  refused: 'refused',
  log: 'launch.log',
} as const;

/** A shell variable of the scripts' own: no job may name one like it. */
export const own = (name: string): string => `${platform().jobVariablePrefix}_${name}`;
