import { joinPath } from '@libs/macros';
import { parseSourceUrl } from '@libs/jobs-model';
import type { Job, JobRow } from '@libs/jobs-store';
import { platform } from '@libs/platform-name';

/** One thing to transfer, as the files service takes it. */
export interface TransferElement {
  sourceURI: string;
  destinationURI: string;
  optional?: boolean;
  transferType?: 'SERVICE_MOVE_FILE_OR_DIRECTORY' | 'SERVICE_MOVE_DIRECTORY_CONTENTS';
  srcSharedCtx?: string;
  destSharedCtx?: string;
}

/** A path on a system as a URI: whatever a name holds, it stays one name. */
export const systemUri = (systemId: string, ...parts: string[]): string =>
  `${platform().scheme}://${systemId}${joinPath(...parts)
    .split('/')
    .map(encodeURIComponent)
    .join('/')}`;

/** Where the job's inputs go: its input directory, or that of the data transfer node. */
export const inputPlace = (job: JobRow): { systemId: string; dir: string } =>
  job.dtnSystemId && job.dtnSystemInputDir
    ? { systemId: job.dtnSystemId, dir: job.dtnSystemInputDir }
    : { systemId: job.execSystemId, dir: job.execSystemInputDir };

/** One element for every input that is not on the host already. */
export function inputElements(job: Job): TransferElement[] {
  const { systemId, dir } = inputPlace(job);
  return job.definition.fileInputs.flatMap((input) => {
    const source = parseSourceUrl(input.sourceUrl);
    if (typeof source !== 'string' && source.local) return [];
    return [
      {
        sourceURI: input.sourceUrl,
        destinationURI: systemUri(systemId, dir, input.targetPath),
        ...(input.optional && { optional: true }),
        ...(input.srcSharedAppCtx && { srcSharedCtx: input.srcSharedAppCtx }),
        ...(input.destSharedAppCtx && { destSharedCtx: input.destSharedAppCtx }),
      },
    ];
  });
}

/** Where the outputs are archived from: the job's output directory, or that of the data transfer node. */
export const outputPlace = (job: JobRow): { systemId: string; dir: string } =>
  job.dtnSystemId && job.dtnSystemOutputDir
    ? { systemId: job.dtnSystemId, dir: job.dtnSystemOutputDir }
    : { systemId: job.execSystemId, dir: job.execSystemOutputDir };

/** Brings staged inputs from the data transfer node's directory to the job's own: both are on one storage. */
export function dtnInputMoves(job: Job): TransferElement[] {
  const { dtnSystemId, dtnSystemInputDir, execSystemInputDir } = job;
  if (!dtnSystemId || !dtnSystemInputDir || dtnSystemInputDir === execSystemInputDir) return [];
  return job.definition.fileInputs.flatMap(({ sourceUrl, targetPath, optional }) => {
    const source = parseSourceUrl(sourceUrl);
    if (typeof source !== 'string' && source.local) return [];
    return [
      {
        sourceURI: systemUri(dtnSystemId, dtnSystemInputDir, targetPath),
        destinationURI: systemUri(dtnSystemId, execSystemInputDir, targetPath),
        transferType: 'SERVICE_MOVE_FILE_OR_DIRECTORY' as const,
        ...(optional && { optional: true }),
        ...dtnContext(job, 'SAC_DTN_SYSTEM_INPUT_DIR'),
      },
    ];
  });
}

/** Brings the outputs to the data transfer node's directory. */
export function dtnOutputMoves(job: JobRow): TransferElement[] {
  const { dtnSystemId, dtnSystemOutputDir, execSystemOutputDir } = job;
  if (!dtnSystemId || !dtnSystemOutputDir || dtnSystemOutputDir === execSystemOutputDir) return [];
  return [
    {
      sourceURI: systemUri(dtnSystemId, execSystemOutputDir),
      destinationURI: systemUri(dtnSystemId, dtnSystemOutputDir),
      transferType: 'SERVICE_MOVE_DIRECTORY_CONTENTS',
      ...dtnContext(job, 'SAC_DTN_SYSTEM_OUTPUT_DIR'),
    },
  ];
}

function dtnContext({ sharedAppCtx, sharedAppCtxAttribs }: JobRow, dir: string) {
  const shared = ['SAC_DTN_SYSTEM_ID', dir].every((a) => sharedAppCtxAttribs.includes(a));
  return shared && sharedAppCtx ? { srcSharedCtx: sharedAppCtx, destSharedCtx: sharedAppCtx } : {};
}
