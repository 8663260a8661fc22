import { refuse, shown } from './refuse';

/** The strings of a search body: `{"search": ["...", ...]}` and nothing else. */
export function searchStrings(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    refuse('the body must be an object {"search": ["..."]}');
  }
  const wrong: string[] = [];
  const others = Object.keys(body).filter((name) => name !== 'search');
  if (others.length) {
    wrong.push(`the body has unknown properties: ${others.slice(0, 10).map(shown).join(', ')}`);
  }
  const { search } = body as { search?: unknown };
  if (!Array.isArray(search) || !search.length || search.some((one) => typeof one !== 'string')) {
    wrong.push('search must be an array of at least one string');
  }
  if (wrong.length) refuse(wrong.join('; '));
  return search as string[];
}
