import { platform } from '@libs/platform-name';

/** Where a URI leads: into a system, or to a web server. */
export type FileUri =
  | { kind: 'system'; systemId: string; path: string; folder: boolean }
  | { kind: 'http'; url: string };

const SYSTEM_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,79}$/;

/**
 * Takes a URI apart. The path of a system is percent-decoded once and not yet normalised; `folder` tells that it ends
 * in a slash (or is missing). Answers a sentence about what is wrong instead of throwing.
 */
export function parseFileUri(uri: string): FileUri | string {
  if (/^https?:\/\//i.test(uri)) {
    return URL.canParse(uri) ? { kind: 'http', url: uri } : 'is not a valid URL';
  }
  const { scheme } = platform();
  const found = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(\/[^]*)?$/i.exec(uri);
  if (!found || found[1]!.toLowerCase() !== scheme) {
    return `must begin with ${scheme}://, http:// or https://`;
  }
  const [, , systemId = '', encoded = '/'] = found;
  if (!SYSTEM_ID.test(systemId)) return `names no system (${scheme}://<system>/<path>)`;
  try {
    const path = decodeURIComponent(encoded);
    return { kind: 'system', systemId, path, folder: path.endsWith('/') };
  } catch {
    return 'has a broken percent-encoding';
  }
}

/** The URI of a path (relative to the root). Reading it gives the same path again. */
export function fileUri(systemId: string, path: string): string {
  const encoded = encodeURI(path).replace(/[?#]/g, encodeURIComponent);
  return `${platform().scheme}://${systemId}/${encoded}`;
}
