import type { ListMetadata, Reply } from '@libs/envelope';

/** The Link header of a full page: the same request for the page after it. */
export function nextLink(url: string, { metadata, result }: Reply<unknown>): string | undefined {
  if (!metadata || !Array.isArray(result)) return undefined;
  const { recordCount, recordLimit, recordsSkipped, orderBy, startAfter, totalCount } =
    metadata as Partial<ListMetadata>;
  if (!recordCount || !recordLimit || recordLimit < 1 || recordCount < recordLimit)
    return undefined;
  const skipped = Math.max(0, recordsSkipped ?? 0);
  if ((totalCount ?? -1) >= 0 && skipped + recordCount >= totalCount! && !startAfter)
    return undefined;
  const [path, query] = url.split('?', 2);
  const params = new URLSearchParams(query);
  if (startAfter) {
    const attribute = /^[^(,]+/.exec(orderBy ?? '')?.[0].trim() ?? '';
    const last = (result.at(-1) as Record<string, unknown>)[attribute];
    if (last === undefined || last === null) return undefined;
    params.set('startAfter', String(last));
  } else {
    params.set('skip', String(skipped + recordCount));
  }
  return `<${path}?${params.toString()}>; rel="next"`;
}
