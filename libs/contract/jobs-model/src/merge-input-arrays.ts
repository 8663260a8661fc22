import { platform } from '@libs/platform-name';
import type { EffectiveFileInput } from './job-definition';
import type { RequestedFileInputArray } from './job-request';
import type { JobViolations } from './job-violations';
import { mayBeNamed, targetOf, textOf } from './merge-inputs';
import { bothTexts, first, firstText, repeated } from './merge-text';
import type { AppFileInputArray } from './records';
import { parseSourceUrl } from './source-url';

interface Merged {
  called: string;
  name: string | null;
  description: string | null;
  envKey: string | null;
  sourceUrls: readonly string[];
  /** Undefined: the input directory itself. */
  targetDir: string | undefined;
  notes: unknown;
  optional: boolean;
  ofApp: boolean;
}

export interface ExpandedArrays {
  inputs: EffectiveFileInput[];
  /** Variables whose value is an array's target directory. */
  envKeys: { called: string; envKey: string; value: string }[];
}

/** The request's arrays merged with the app's; each of their URLs becomes a file input of its own. */
export function mergeFileInputArrays(
  app: readonly AppFileInputArray[],
  request: readonly RequestedFileInputArray[],
  strict: boolean,
  sharedBy: string,
  violations: JobViolations,
): ExpandedArrays {
  for (const name of repeated(request.map((i) => i.name))) {
    violations.add('JOBS_DUPLICATE_FILE_INPUT', `fileInputArrays has "${name}" twice`);
  }
  const byName = new Map(app.map((array) => [array.name, array]));
  const named = new Set<string>();
  const arrays: Merged[] = [];
  request.forEach((asked, i) => {
    const defined = asked.name ? byName.get(asked.name) : undefined;
    const called = asked.name ? `file input array "${asked.name}"` : `fileInputArrays[${i}]`;
    if (defined) named.add(defined.name);
    if (!asked.name && !asked.sourceUrls?.length) return;
    if (!mayBeNamed(called, asked.name, defined, strict, 'fileInputArrays', violations)) return;
    arrays.push(merged(called, asked, defined));
  });
  for (const defined of app) {
    if (named.has(defined.name)) continue;
    const optional = (defined.inputMode ?? 'OPTIONAL') === 'OPTIONAL';
    if (optional && !defined.sourceUrls?.length) continue;
    arrays.push({ ...merged(`file input array "${defined.name}"`, {}, defined), optional });
  }
  return {
    inputs: arrays.flatMap((array, i) => expanded(array, i, sharedBy, violations)),
    envKeys: arrays.flatMap(({ called, envKey, targetDir }) =>
      envKey ? { called, envKey, value: targetDir ?? '/' } : [],
    ),
  };
}

function merged(
  called: string,
  asked: RequestedFileInputArray,
  defined?: AppFileInputArray,
): Merged {
  const dir = firstText(asked.targetDir, defined?.targetDir);
  const own = asked.sourceUrls?.length ? asked.sourceUrls : undefined;
  return {
    called,
    name: asked.name ?? defined?.name ?? null,
    description: bothTexts(defined?.description, asked.description),
    envKey: first(asked.envKey, defined?.envKey) ?? null,
    sourceUrls: own ?? defined?.sourceUrls ?? [],
    targetDir: dir === '*' ? undefined : dir,
    notes: first(asked.notes, defined?.notes),
    optional: false,
    ofApp: !own,
  };
}

function expanded(array: Merged, index: number, sharedBy: string, v: JobViolations) {
  const { called, name, targetDir, sourceUrls, ofApp, optional, description } = array;
  v.check(sourceUrls.length, 'JOBS_NO_SOURCE_URL', `${called} has no sourceUrls`);
  const notes = textOf(array.notes, called, v);
  return sourceUrls.flatMap((sourceUrl, j): EffectiveFileInput[] => {
    const source = parseSourceUrl(sourceUrl);
    const url = `sourceUrls[${j}] of ${called}`;
    if (typeof source === 'string') {
      v.add('JOBS_INVALID_SOURCE_URL', `${url} ${source}`);
      return [];
    }
    if (source.local) {
      v.add(
        `JOBS_${platform().upper}LOCAL_NOT_ALLOWED`,
        `${url} is in place; arrays take only sources to be copied`,
      );
      return [];
    }
    if (!source.name) {
      v.add('JOBS_NO_TARGET_PATH', `${url} ends in a slash, so it has no name to be copied to`);
      return [];
    }
    const target = targetOf(targetDir ? `${targetDir}/${source.name}` : source.name, called, v);
    if (target === undefined) return [];
    return [
      {
        name: `${name ?? 'unnamed'}_${index}.${j}`,
        description,
        envKey: null,
        autoMountLocal: false,
        sourceUrl,
        targetPath: target,
        notes,
        optional,
        srcSharedAppCtx: ofApp ? sharedBy : '',
        destSharedAppCtx: ofApp ? sharedBy : '',
      },
    ];
  });
}
