import { setTimeout as delay } from 'node:timers/promises';
import type { RunningService } from './create-service';

const LOOK_EVERY_MS = 20;

/**
 * Resolves when every readiness check of the service passes, so that those who need it may start; gives up waiting
 * (answers false) after the deadline: the service runs, and its readiness probe says what is missing.
 */
export async function whenReady(service: RunningService, deadlineMs = 20_000): Promise<boolean> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    if (await service.ready()) return true;
    if (Date.now() >= end) return false;
    await delay(LOOK_EVERY_MS);
  }
}
