import { joinPath } from '@libs/macros';
import { parseSourceUrl } from '@libs/jobs-model';
import type { Job, JobRow } from '@libs/jobs-store';
import { platform } from '@libs/platform-name';

/** One thing to transfer, as the files service takes it. */
export interface TransferElement {
  sourceURI: string;
  destinationURI: string;
  optional?: boolean;
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
