import { docker } from './docker/docker';
import type { Runtime } from './runtime';
import { zip } from './zip/zip';

/** Every runtime the platform can launch. One line adds one. */
export const RUNTIMES = { DOCKER: docker, ZIP: zip } as const satisfies Record<string, Runtime>;
export type RuntimeName = keyof typeof RUNTIMES;
