import { fieldsOf, type Class, type Rule } from './field';

type Fill = (value: Record<string, unknown>) => Record<string, unknown>;

const fills = new WeakMap<Class, Fill>();

/** The object with null for every field of the class that is not set, in the objects inside it too. */
export function withNulls<T extends object>(of: Class, value: T): T {
  return fillOf(of)(value as Record<string, unknown>) as T;
}

/** Worked out once per class: this runs for every record that is answered. */
function fillOf(of: Class): Fill {
  let fill = fills.get(of);
  if (fill) return fill;
  const fields = fieldsOf(of);
  const names = fields.map(({ name }) => name);
  const inner = fields.flatMap(({ name, rule }) => {
    const part = insideOf(rule);
    return part ? [[name, part] as const] : [];
  });
  fill = (value) => {
    const filled = { ...value };
    for (const name of names) if (filled[name] === undefined) filled[name] = null;
    for (const [name, part] of inner) {
      const found = filled[name];
      if (Array.isArray(found)) filled[name] = found.map((one) => withNulls(part(), one as object));
      else if (found !== null) filled[name] = withNulls(part(), found as object);
    }
    return filled;
  };
  fills.set(of, fill);
  return fill;
}

function insideOf(rule: Rule): (() => Class) | undefined {
  if (rule.kind === 'part') return rule.of;
  return rule.kind === 'items' && rule.each.kind === 'part' ? rule.each.of : undefined;
}
