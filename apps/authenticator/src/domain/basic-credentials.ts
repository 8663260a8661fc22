/** Name and password of an `Authorization: Basic` header; undefined when it is not one, or not well-formed. */
export function basicCredentials(
  header: string | undefined,
): { name: string; password: string } | undefined {
  const basic = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(header ?? '')?.[1];
  if (!basic) return undefined;
  const text = Buffer.from(basic, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Whether the header wants to be Basic at all. */
export const isBasic = (header: string | undefined): boolean => /^Basic\b/i.test(header ?? '');

/** As RFC 6749 (2.3.1) wants ids and keys in the header: form-encoded. What can't be decoded stays. */
export function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
