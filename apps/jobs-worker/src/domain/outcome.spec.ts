import type { JobRow } from '@libs/jobs-store';
import { outcomeOf } from './outcome';

const started = new Date('2026-01-01T00:00:00Z');
const now = new Date('2026-01-01T00:10:00Z');
const job = (archiveMode: JobRow['archiveMode']) => ({ archiveMode, remoteStarted: started });

it.each([
  ['ALWAYS', 0, 'FINISHED'],
  ['ALWAYS', 1, 'FAILED'],
  ['SKIP_ON_FAIL', 0, 'FINISHED'],
  ['SKIP_ON_FAIL', 1, 'FAILED_SKIP_ARCHIVE'],
  ['NEVER', 0, 'FINISHED'],
  ['NEVER', -1, 'FAILED_SKIP_ARCHIVE'],
] as const)('%s with code %s: %s', (mode, code, remoteOutcome) => {
  const { patch } = outcomeOf(job(mode), code, undefined, now);
  expect(patch).toMatchObject({ remoteOutcome, remoteResultInfo: String(code), remoteEnded: now });
});

it.each([
  ['2026-01-01T00:05:00Z', '2026-01-01T00:05:00Z'],
  ['2025-12-31T23:00:00Z', '2026-01-01T00:00:00Z'],
  ['2026-01-01T01:00:00Z', '2026-01-01T00:10:00Z'],
])('a host whose clock says %s', (said, taken) => {
  const { patch } = outcomeOf(job('ALWAYS'), 0, new Date(said), now);
  expect(patch.remoteEnded).toEqual(new Date(taken));
});
