import { Attributes, type Attribute } from './attributes';
import { refuse, shown } from './refuse';

export interface SelectSpec {
  readonly attributes: readonly Attribute[];
  /** Always in the answer. */
  readonly always?: readonly string[];
  /** What is answered when `select` is not given. */
  readonly fallback?: 'all' | 'summary';
  /** An unknown name is left out, or ends in 400. */
  readonly unknown?: 'ignore' | 'refuse';
}

/** The names of the attributes to answer, for the value of a `select` parameter. */
export function parseSelect(
  text: string | undefined,
  { attributes, always = ['id'], fallback = 'all', unknown = 'ignore' }: SelectSpec,
): string[] {
  const known = new Attributes(attributes);
  const wanted = new Set(always);
  const given = (text ?? '').split(',').map((name) => name.trim());
  const names = given.filter(Boolean);
  if (!names.length) names.push(`${fallback}Attributes`);
  for (const name of names) {
    if (name === 'allAttributes') attributes.forEach((one) => wanted.add(one.name));
    else if (name === 'summaryAttributes') {
      attributes.filter(({ summary }) => summary).forEach((one) => wanted.add(one.name));
    } else {
      const found = known.find(name);
      if (found) wanted.add(found.name);
      else if (unknown === 'refuse') {
        const all = attributes.map((one) => one.name).join(', ');
        refuse(`select has ${shown(name)}, which is not an attribute (there are: ${all})`);
      }
    }
  }
  return [...wanted];
}

/** The selected attributes of a record, in the record's order. */
export function pick<T extends object>(select: readonly string[], record: T): Partial<T> {
  const wanted = new Set(select);
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => wanted.has(name)),
  ) as Partial<T>;
}
