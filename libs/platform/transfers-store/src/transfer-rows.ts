import type { ChildStatus, ParentStatus, TransferStatus } from './transfer-states';

/** Kinds of elements; users may only make TRANSFER, the others move on the host for the platform's services. */
export const TRANSFER_TYPES = [
  'TRANSFER',
  'SERVICE_MOVE_DIRECTORY_CONTENTS',
  'SERVICE_MOVE_FILE_OR_DIRECTORY',
] as const;
export type TransferType = (typeof TRANSFER_TYPES)[number];

export interface TransferRow {
  id: number;
  uuid: string;
  tenant: string;
  username: string;
  tag: string | null;
  status: TransferStatus;
  errorMessage: string | null;
  created: Date;
  startTime: Date | null;
  endTime: Date | null;
}

/** Sums over a transfer's elements. */
export interface Totals {
  estimatedTotalBytes: number;
  totalBytesTransferred: number;
  totalTransfers: number;
  completeTransfers: number;
}

export interface ParentRow {
  id: number;
  uuid: string;
  taskId: number;
  tenant: string;
  username: string;
  tag: string | null;
  sourceUri: string;
  destinationUri: string;
  optional: boolean;
  transferType: TransferType;
  srcSharedCtx: string | null;
  destSharedCtx: string | null;
  status: ParentStatus;
  errorMessage: string | null;
  finalMessage: string | null;
  totalBytes: number;
  bytesTransferred: number;
  filesTotal: number;
  filesDone: number;
  /** Where the source is a directory its entries lie below it; a single file has one child with an empty path. */
  destinationPath: string | null;
  retries: number;
  nextAttempt: Date | null;
  claimedBy: string | null;
  leaseUntil: Date | null;
  created: Date;
  startTime: Date | null;
  endTime: Date | null;
}

export interface ChildRow {
  id: number;
  uuid: string;
  parentId: number;
  /** Below the element's source and below its destination; '' is the element itself. */
  path: string;
  totalBytes: number;
  bytesTransferred: number;
  retries: number;
  nextRetry: Date | null;
  dir: boolean;
  executable: boolean;
  /** When the source was last changed, to know whether a half-copied file may be continued. */
  sourceModified: Date | null;
  status: ChildStatus;
  errorMessage: string | null;
  created: Date;
  startTime: Date | null;
  endTime: Date | null;
}

export type NewElement = Pick<
  ParentRow,
  'sourceUri' | 'destinationUri' | 'optional' | 'transferType' | 'srcSharedCtx' | 'destSharedCtx'
>;

export interface NewTransfer {
  uuid: string;
  tenant: string;
  username: string;
  tag: string | null;
  elements: (NewElement & { uuid: string })[];
}

export type NewChild = Pick<
  ChildRow,
  'path' | 'totalBytes' | 'dir' | 'executable' | 'sourceModified'
>;

const numbers = new Set(['id', 'task_id', 'parent_id', 'total_bytes', 'bytes_transferred']);
const camel = (column: string) => column.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());
/** A select list whose rows are the interfaces above. bigint becomes a number: exact up to 2^53. */
const list = (columns: string[]) => (table: string) =>
  columns
    .map((c) => `${table}.${c}${numbers.has(c) ? '::float8' : ''} as "${camel(c)}"`)
    .join(', ');

const COMMON = ['id', 'uuid', 'status', 'error_message', 'created', 'start_time', 'end_time'];
export const transferList = list([...COMMON, 'tenant', 'username', 'tag']);
export const parentList = list([
  ...COMMON,
  'task_id',
  'tenant',
  'username',
  'tag',
  'source_uri',
  'destination_uri',
  'optional',
  'transfer_type',
  'src_shared_ctx',
  'dest_shared_ctx',
  'final_message',
  'total_bytes',
  'bytes_transferred',
  'files_total',
  'files_done',
  'destination_path',
  'retries',
  'next_attempt',
  'claimed_by',
  'lease_until',
]);
export const childList = list([
  ...COMMON,
  'parent_id',
  'path',
  'total_bytes',
  'bytes_transferred',
  'retries',
  'next_retry',
  'dir',
  'executable',
  'source_modified',
]);
