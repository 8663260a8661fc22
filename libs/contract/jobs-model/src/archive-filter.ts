import type { ArchiveFilter } from './job-definition';
import type { JobViolations } from './job-violations';
import { first } from './merge-text';
import type { PartialFilter } from './records';

const REGEX = 'REGEX:';

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
  const excludes = filter.excludes.map((p) => (p === '**/*' ? /^/ : filterPattern(p)));
  return (path) =>
    !excludes.some((e) => e.test(path)) &&
    (!includes.length || all || includes.some((i) => i.test(path)));
}

/**
 * A pattern as a regular expression of the whole path. A glob has Java's rules: `*` and `?` stop at a slash, `**`
 * crosses, `[...]`, `{a,b}`. `REGEX:` begins a regular expression.
 */
export function filterPattern(pattern: string): RegExp {
  if (pattern.startsWith(REGEX)) return new RegExp(`^(?:${pattern.slice(REGEX.length)})$`, 'u');
  return globPattern(pattern);
}

function globPattern(glob: string): RegExp {
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
      const set = (negated ? inside.slice(1) : inside).replace(/[\\\]^[&]/g, '\\$&');
      out += `(?!/)[${negated ? '^' : ''}${set}]`;
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
  return new RegExp(`^${out}$`, 's');
}

const literal = (c: string) => c.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');
