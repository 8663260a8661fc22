import { climbs, hasControlCharacter } from '@libs/macros';
import type { EffectiveFileInput } from './job-definition';
import type { RequestedFileInput } from './job-request';
import type { JobViolations } from './job-violations';
import { bothTexts, first, firstText, repeated } from './merge-text';
import type { AppFileInput } from './records';
import { parseSourceUrl } from './source-url';

/** A file input before it is known whether it is complete. */
interface Candidate {
  /** For messages. */
  called: string;
  name: string | null;
  description: string | null;
  envKey: string | null;
  autoMountLocal: boolean;
  sourceUrl: string | undefined;
  targetPath: string | undefined;
  notes: unknown;
  optional: boolean;
  /** Where the source came from: the app's own values may be reached through the app's share. */
  ofApp: { source: boolean; target: boolean };
}

/** The request's inputs merged with the app's, each complete, or a violation that says why not. */
export function mergeFileInputs(
  app: readonly AppFileInput[],
  request: readonly RequestedFileInput[],
  strict: boolean,
  sharedBy: string,
  violations: JobViolations,
): EffectiveFileInput[] {
  for (const name of repeated(request.map((i) => i.name))) {
    violations.add('JOBS_DUPLICATE_FILE_INPUT', `fileInputs has "${name}" twice`);
  }
  const byName = new Map(app.map((input) => [input.name, input]));
  const named = new Set<string>();
  const candidates: Candidate[] = [];
  request.forEach((asked, i) => {
    const defined = asked.name ? byName.get(asked.name) : undefined;
    const called = asked.name ? `file input "${asked.name}"` : `fileInputs[${i}]`;
    if (defined) named.add(defined.name);
    if (!mayBeNamed(called, asked.name, defined, strict, 'fileInputs', violations)) return;
    candidates.push(merged(called, asked, defined));
  });
  for (const defined of app) {
    if (named.has(defined.name)) continue;
    const optional = (defined.inputMode ?? 'OPTIONAL') === 'OPTIONAL';
    if (optional && !firstText(defined.sourceUrl)) continue;
    candidates.push({ ...merged(`file input "${defined.name}"`, {}, defined), optional });
  }
  return candidates.flatMap((c) => completed(c, sharedBy, violations) ?? []);
}

/** The rules of a request's input that are the same for arrays. */
export function mayBeNamed(
  called: string,
  name: string | null | undefined,
  defined: { inputMode?: string | null } | undefined,
  strict: boolean,
  field: string,
  violations: JobViolations,
): boolean {
  if (defined?.inputMode === 'FIXED') {
    violations.add(
      'JOBS_FIXED_FILE_INPUT',
      `${called} is FIXED by the app: ${field} can't name it`,
    );
    return false;
  }
  if (defined || !strict) return true;
  if (name) violations.add('JOBS_NO_FILE_INPUT_DEFINITION', `the app has no ${called}`);
  else
    violations.add('JOBS_UNNAMED_FILE_INPUT', `${called} has no name; the app allows only its own`);
  return false;
}

function merged(called: string, asked: RequestedFileInput, defined?: AppFileInput): Candidate {
  return {
    called,
    name: asked.name ?? defined?.name ?? null,
    description: bothTexts(defined?.description, asked.description),
    envKey: first(asked.envKey, defined?.envKey) ?? null,
    autoMountLocal: first(asked.autoMountLocal, defined?.autoMountLocal) ?? true,
    sourceUrl: firstText(asked.sourceUrl, defined?.sourceUrl),
    targetPath: firstText(asked.targetPath, defined?.targetPath),
    notes: first(asked.notes, defined?.notes),
    optional: false,
    ofApp: {
      source: !firstText(asked.sourceUrl) && Boolean(firstText(defined?.sourceUrl)),
      target: !firstText(asked.targetPath),
    },
  };
}

function completed(
  candidate: Candidate,
  sharedBy: string,
  v: JobViolations,
): EffectiveFileInput | undefined {
  const { called, sourceUrl, ofApp, targetPath: given, notes, ...rest } = candidate;
  if (sourceUrl === undefined) {
    v.add('JOBS_NO_SOURCE_URL', `${called} has no sourceUrl`);
    return undefined;
  }
  const source = parseSourceUrl(sourceUrl);
  if (typeof source === 'string') {
    v.add('JOBS_INVALID_SOURCE_URL', `sourceUrl of ${called} ${source}`);
    return undefined;
  }
  const target = given === undefined || given === '*' ? source.name : given;
  if (target === undefined) {
    v.add('JOBS_NO_TARGET_PATH', `${called} has no targetPath, and its sourceUrl ends in a slash`);
    return undefined;
  }
  const targetPath = targetOf(target, called, v);
  if (targetPath === undefined) return undefined;
  return {
    ...rest,
    sourceUrl,
    targetPath,
    notes: textOf(notes, called, v),
    srcSharedAppCtx: ofApp.source && !source.local ? sharedBy : '',
    destSharedAppCtx: ofApp.target ? sharedBy : '',
  };
}

/** Checked and tidied, relative to the input directory; a leading slash stays. */
export function targetOf(target: string, called: string, v: JobViolations): string | undefined {
  const clean = !hasControlCharacter(target) && !climbs(target);
  if (
    !v.check(
      clean,
      'JOBS_INVALID_TARGET_PATH',
      `target of ${called} holds ".." or a control character`,
    )
  ) {
    return undefined;
  }
  return target.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
}

/** Notes are kept as the JSON text of an object, whether they came as the object or as its text. */
export function textOf(notes: unknown, called: string, v: JobViolations): string | null {
  if (notes == null) return null;
  const text = typeof notes === 'string' ? notes : JSON.stringify(notes);
  v.check(isObjectText(text), 'JOBS_INVALID_NOTES', `notes of ${called} are not a JSON object`);
  return text;
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
