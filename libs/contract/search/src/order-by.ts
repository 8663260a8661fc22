import type { Attributes } from './attributes';
import { refuse, shown } from './refuse';
import type { AttributeType } from './where';

export interface OrderKey {
  readonly attribute: string;
  readonly type: AttributeType;
  readonly descending: boolean;
}

const ELEMENT = /^\s*([A-Za-z][A-Za-z0-9_]*)\s*(?:\(\s*([A-Za-z]*)\s*\))?\s*$/;

/** Reads `name(asc),created(desc)`; the direction is optional. */
export function parseOrderBy(text: string, attributes: Attributes): OrderKey[] {
  const keys = new Map<string, OrderKey>();
  for (const element of text.split(',')) {
    if (!element.trim()) refuse('orderBy has an empty element');
    const parts = ELEMENT.exec(element);
    if (!parts) refuse(`orderBy has ${shown(element)} where attribute(asc) or (desc) is due`);
    const [, name, direction = 'asc'] = parts as unknown as [string, string, string?];
    const found = attributes.sortable(name);
    if (!found) {
      refuse(`orderBy cannot use ${shown(name)} (it takes: ${attributes.names('sortable')})`);
    }
    const word = direction.toLowerCase();
    if (word !== 'asc' && word !== 'desc') {
      refuse(`orderBy has the direction ${shown(direction)}; there are asc and desc`);
    }
    // the first of two decides already
    if (!keys.has(found.name)) {
      keys.set(found.name, {
        attribute: found.name,
        type: found.type,
        descending: word === 'desc',
      });
    }
  }
  return [...keys.values()];
}
