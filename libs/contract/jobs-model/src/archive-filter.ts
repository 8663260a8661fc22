import { RE2JS } from 're2js';
import type { ArchiveFilter } from './job-definition';
import type { JobViolations } from './job-violations';
import { first } from './merge-text';
import type { PartialFilter } from './records';

const REGEX = 'REGEX:';
const EVERYTHING: FilterPattern = { test: () => true };

/** The request's patterns, then the app's. */
export function mergeArchiveFilter(
  app: PartialFilter | null | undefined,
  request: PartialFilter | null | undefined,
): ArchiveFilter {
  const both = (name: 'includes' | 'excludes') => [
    ...new Set([...(request?.[name] ?? []), ...(app?.[name] ?? [])]),
  ];
  return {
    includes: both('includes'),
    excludes: both('excludes'),
    includeLaunchFiles: first(request?.includeLaunchFiles, app?.includeLaunchFiles) ?? true,
  };
}

export function checkArchiveFilter(filter: ArchiveFilter, violations: JobViolations): void {
  for (const pattern of [...filter.includes, ...filter.excludes]) {
    try {
      filterPattern(pattern);
    } catch {
      const code = pattern.startsWith(REGEX)
        ? 'JOBS_INVALID_REGEX_FILTER'
        : 'JOBS_INVALID_GLOB_FILTER';
      violations.add(code, `archiveFilter pattern "${pattern}" does not compile`);
    }
  }
}

/** Whether everything is archived, so that the output directory can be copied as a whole. */
export const takesEverything = ({ includes, excludes }: ArchiveFilter): boolean =>
  !excludes.length && (!includes.length || includes.includes('**/*'));

/**
 * Answers which paths, relative to the output directory and without a leading slash, are archived: excludes win
 * over includes; without includes everything is included.
 */
export function archiveSelector(filter: ArchiveFilter): (path: string) => boolean {
  const all = filter.includes.includes('**/*');
  const includes = filter.includes.map(filterPattern);
  const excludes = filter.excludes.map((p) => (p === '**/*' ? EVERYTHING : filterPattern(p)));
  return (path) =>
    !excludes.some((e) => e.test(path)) &&
    (!includes.length || all || includes.some((i) => i.test(path)));
}

export interface FilterPattern {
  /** Whether the whole path matches. */
  test(path: string): boolean;
}

/**
 * A glob with Java's rules: `*` and `?` stop at a slash, `**` crosses, `[...]`, `{a,b}`; `REGEX:` begins a regular
 * expression (RE2: no look-around, no back-references). Users write these, so each is matched in linear time.
 */
export function filterPattern(pattern: string): FilterPattern {
  const compiled = pattern.startsWith(REGEX)
    ? RE2JS.compile(pattern.slice(REGEX.length))
    : RE2JS.compile(globPattern(pattern), RE2JS.DOTALL);
  return { test: (path) => compiled.testExact(path) };
}

function globPattern(glob: string): string {
  let out = '';
  let group = false;
  for (let i = 0; i < glob.length; i++) {
    const c = glob[i]!;
    if (c === '\\') {
      if (++i >= glob.length) throw new Error('ends in a backslash');
      out += literal(glob[i]!);
    } else if (c === '*') {
      const stars = /^\*+/.exec(glob.slice(i))![0].length;
      out += stars > 1 ? '.*' : '[^/]*';
      i += stars - 1;
    } else if (c === '?') out += '[^/]';
    else if (c === '[') {
      const close = glob.indexOf(']', i + 2);
      if (close < 0) throw new Error('has an open bracket');
      const inside = glob.slice(i + 1, close);
      const negated = inside.startsWith('!');
      if (inside.includes('/')) throw new Error('has a slash in brackets');
      const set = (negated ? inside.slice(1) : inside).replace(/[\\\]^[&]/g, '\\$&');
      out += negated ? `[^/${set}]` : `[${set}]`;
      i = close;
    } else if (c === '{') {
      if (group) throw new Error('has a group in a group');
      group = true;
      out += '(?:';
    } else if (c === '}' && group) {
      group = false;
      out += ')';
    } else if (c === ',' && group) out += '|';
    else out += literal(c);
  }
  if (group) throw new Error('has an open group');
  return out;
}

const literal = (c: string) => c.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');
