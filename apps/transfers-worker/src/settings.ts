import { ServiceSettings, Setting } from '@libs/config';

export class TransfersWorkerSettings extends ServiceSettings {
  @Setting({
    env: 'TRANSFER_ELEMENTS_AT_ONCE',
    kind: 'int',
    default: 6,
    doc: 'Elements of transfers in work at once',
  })
  elementsAtOnce!: number;

  @Setting({
    env: 'TRANSFER_FILES_AT_ONCE',
    kind: 'int',
    default: 4,
    doc: 'Files of one element copied at once (beside the stream of small ones)',
  })
  filesAtOnce!: number;

  @Setting({
    env: 'MAX_TRANSFER_COUNT',
    kind: 'int',
    default: 100_000,
    doc: 'Files and directories that one element may have',
  })
  maxCount!: number;

  @Setting({
    env: 'TRANSFER_RETRY_SECONDS',
    kind: 'text',
    default: '2,5,15,30,60,120,300',
    doc: 'Waits before each new try of what failed for a passing reason; as many tries',
  })
  retrySeconds!: string;

  @Setting({
    env: 'TRANSFER_STALL_SECONDS',
    kind: 'int',
    default: 120,
    doc: 'A stream of many files in which nothing moves for so long is given up and tried again',
  })
  stallSeconds!: number;

  @Setting({
    env: 'TRANSFER_LEASE_SECONDS',
    kind: 'int',
    default: 12,
    doc: 'After so long without a sign of life the elements of a worker go to another',
  })
  leaseSeconds!: number;
}
