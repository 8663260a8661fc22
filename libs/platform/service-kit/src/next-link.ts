import { pageOf, type ListMetadata, type PageHint, type Reply } from '@libs/envelope';

/** The Link header of a full page: the same request for the page after it. */
export function nextLink(url: string, { metadata, result }: Reply<unknown>): string | undefined {
  if (!metadata || !Array.isArray(result)) return undefined;
  const { recordCount, recordLimit, recordsSkipped, orderBy, startAfter, totalCount } =
    metadata as Partial<ListMetadata>;
  const page: Partial<PageHint> = pageOf(metadata) ?? { limit: recordLimit, keyed: false };
  if (!recordCount || !page.limit || page.limit < 1 || recordCount < page.limit) return undefined;
  const skipped = Math.max(0, recordsSkipped ?? 0);
  if ((totalCount ?? -1) >= 0 && skipped + recordCount >= totalCount! && !startAfter)
    return undefined;
  const [path, query] = url.split('?', 2);
  const params = new URLSearchParams(query);
  if (page.offset !== undefined) params.set('offset', String(page.offset + recordCount));
  else if (!startAfter) params.set('skip', String(skipped + recordCount));
  else if (!(page.keyed ? goOn : skipOn)(params, orderBy ?? '', startAfter, result))
    return undefined;
  return `<${path}?${params.toString()}>; rel="next"`;
}

type Step = (params: URLSearchParams, orderBy: string, after: string, page: unknown[]) => boolean;

/** After the last record of this page. */
const goOn: Step = (params, orderBy, _after, page) => {
  const last = (page.at(-1) as Record<string, unknown>)[firstKey(orderBy).attribute];
  if (last === undefined || last === null) return false;
  params.set('startAfter', String(last));
  return true;
};

/** Records that tie with the last one would be lost after it: the bound becomes a condition, and pages are counted. */
const skipOn: Step = (params, orderBy, after, page) => {
  // no condition compares these
  if (/^(true|false)$/i.test(after)) return false;
  const { attribute, descending } = firstKey(orderBy);
  const value = after.replace(/[~,()\\]/g, '\\$&');
  const given = params.get('search')?.trim() ?? '';
  const before = !given || /^[(~]/.test(given) ? given : `(${given})`;
  const bound = `(${attribute}.${descending ? 'lt' : 'gt'}.${value})`;
  params.set('search', before ? `${before}~${bound}` : bound);
  params.set('skip', String(page.length));
  params.delete('startAfter');
  return true;
};

function firstKey(orderBy: string): { attribute: string; descending: boolean } {
  const [first = ''] = orderBy.split(',');
  return {
    attribute: /^[^(]*/.exec(first)![0].trim(),
    descending: /\(\s*desc\s*\)/i.test(first),
  };
}
