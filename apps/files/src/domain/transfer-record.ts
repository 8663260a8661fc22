import { fileUri, parseFileUri } from '@libs/files-access';
import { joinPath, normalisePath } from '@libs/storage';
import type { ChildRow, ParentRow, Totals, TransferRow } from '@libs/transfers-store';

const time = (at: Date | null) => at?.toISOString() ?? null;

/** A transfer as it is answered. */
export function transferRecord(row: TransferRow & Totals, parentTasks: object[] | null) {
  return {
    id: row.id,
    username: row.username,
    tenantId: row.tenant,
    tag: row.tag,
    uuid: row.uuid,
    status: row.status,
    parentTasks,
    estimatedTotalBytes: row.estimatedTotalBytes,
    totalBytesTransferred: row.totalBytesTransferred,
    totalTransfers: row.totalTransfers,
    completeTransfers: row.completeTransfers,
    errorMessage: row.errorMessage,
    created: time(row.created),
    startTime: time(row.startTime),
    endTime: time(row.endTime),
  };
}

export function parentRecord(row: ParentRow, children: ChildRow[] | null) {
  return {
    id: row.id,
    tenantId: row.tenant,
    username: row.username,
    sourceURI: row.sourceUri,
    destinationURI: row.destinationUri,
    totalBytes: row.totalBytes,
    bytesTransferred: row.bytesTransferred,
    taskId: row.taskId,
    children: children?.map((child) => childRecord(row, child)) ?? null,
    errorMessage: row.errorMessage,
    uuid: row.uuid,
    status: row.status,
    optional: row.optional,
    transferType: row.transferType,
    tag: row.tag,
    finalMessage: row.finalMessage,
    srcSharedCtxGrantor: row.srcSharedCtx,
    destSharedCtxGrantor: row.destSharedCtx,
    created: time(row.created),
    startTime: time(row.startTime),
    endTime: time(row.endTime),
  };
}

function childRecord(parent: ParentRow, row: ChildRow) {
  return {
    id: row.id,
    taskId: parent.taskId,
    parentTaskId: row.parentId,
    uuid: row.uuid,
    tenantId: parent.tenant,
    username: parent.username,
    tag: parent.tag,
    sourceURI: below(parent.sourceUri, row.path),
    destinationURI: below(parent.destinationUri, row.path, parent.destinationPath),
    totalBytes: row.totalBytes,
    bytesTransferred: row.bytesTransferred,
    retries: row.retries,
    nextRetry: time(row.nextRetry),
    dir: row.dir,
    isExecutable: row.executable,
    externalTaskId: '',
    status: row.status,
    errorMessage: row.errorMessage,
    created: time(row.created),
    startTime: time(row.startTime),
    endTime: time(row.endTime),
  };
}

/** The URI of what lies below an element; `known` is where the element itself turned out to go. */
function below(uri: string, path: string, known?: string | null): string {
  const parsed = parseFileUri(uri);
  if (typeof parsed === 'string' || parsed.kind === 'http') return uri;
  return fileUri(parsed.systemId, joinPath(known ?? normalisePath(parsed.path), path));
}
