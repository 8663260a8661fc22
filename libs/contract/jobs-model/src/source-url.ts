import { climbs, hasControlCharacter, lastSegment } from '@libs/macros';
import { platform } from '@libs/platform-name';

export interface SourceUrl {
  /** In place on the execution system: nothing is transferred. */
  local: boolean;
  scheme: string;
  /** System id, or host of an outside URL. */
  authority: string;
  /** Percent-decoded, as it came otherwise. */
  path: string;
  /** Simple name to copy to; undefined when the URL ends in a slash. */
  name: string | undefined;
}

const URL_FORM = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)/;

/** Reads the source of a file input. Answers a text that says what is wrong with it instead, if something is. */
export function parseSourceUrl(url: string): SourceUrl | string {
  if (hasControlCharacter(url)) return 'holds a control character';
  const found = URL_FORM.exec(url);
  if (!found) return 'is not a URL of the form scheme://...';
  const { scheme: own, localScheme, localHost } = platform();
  const scheme = found[1]!.toLowerCase();
  const authority = found[2]!;
  if (![own, localScheme, 'http', 'https'].includes(scheme)) {
    return `has scheme ${scheme}; http, https, ${own} and ${localScheme} are known`;
  }
  const local = scheme === localScheme;
  if (local && authority !== localHost) return `has to begin with ${localScheme}://${localHost}/`;
  if (!authority) return 'names no system or host';
  const web = scheme.startsWith('http');
  // Of a path on a system everything counts; a question mark there is only part of a name.
  const raw = web ? found[3]! : url.slice(url.indexOf('://') + 3 + authority.length);
  let path: string;
  try {
    path = decodeURIComponent(raw);
  } catch {
    if (!web) return 'has a broken percent-encoding';
    path = raw;
  }
  if (hasControlCharacter(path)) return 'holds a control character';
  if (climbs(path)) return 'holds the segment ".."';
  return { local, scheme, authority, path, name: lastSegment(path) };
}
