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

/** What is answered without a `select`, which is how most ask: worked out once. */
const usual = new WeakMap<readonly Attribute[], Map<string, readonly string[]>>();

/** The names of the attributes to answer, for the value of a `select` parameter. */
export function parseSelect(text: string | undefined, spec: SelectSpec): readonly string[] {
  if (text) return selected(text, spec);
  const key = `${spec.fallback} ${spec.always?.join() ?? ''}`;
  const known = usual.get(spec.attributes) ?? new Map<string, readonly string[]>();
  let select = known.get(key);
  if (!select) {
    select = selected('', spec);
    usual.set(spec.attributes, known.set(key, select));
  }
  return select;
}

function selected(
  text: string,
  { attributes, always = ['id'], fallback = 'all', unknown = 'ignore' }: SelectSpec,
): readonly string[] {
  const known = Attributes.of(attributes);
  const wanted = new Set(always);
  const given = text.split(',').map((name) => name.trim());
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

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The selected attributes of a record, in the record's order. */
export function pick<T extends object>(select: readonly string[], record: T): Partial<T> {
  let wanted = sets.get(select);
  if (!wanted) sets.set(select, (wanted = new Set(select)));
  const picked: Partial<T> = {};
  for (const name of Object.keys(record) as (keyof T & string)[])
    if (wanted.has(name)) picked[name] = record[name];
  return picked;
}
