import { readPattern } from './pattern';
import { character, refuse, shown } from './refuse';
import { type Condition, type Operator, OPERATORS } from './where';

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const SPECIAL = '~,()';
const LISTS = new Set<Operator>(['in', 'nin', 'contains', 'ncontains', 'between', 'nbetween']);

/** Makes a condition of its three texts; `start` is where the value begins in `of`. */
export function conditionOf(
  attribute: string,
  operator: string,
  value: string,
  start: number,
  of: string,
): Condition {
  const where = of === 'search' ? character(start, of) : of;
  if (!NAME.test(attribute)) {
    refuse(`${shown(attribute)} is not the name of an attribute`, where);
  }
  const op = readOperator(operator, where);
  const values = split(value, start, of, op);
  if (values.some((one) => !one)) {
    refuse(`${attribute}.${op} has an empty value`, where);
  }
  if (op === 'like' || op === 'nlike') {
    const pattern = readPattern(values[0]!, '*', '!', SPECIAL);
    return { attribute, op, values: [], pattern, where };
  }
  checkCount(attribute, op, values.length, where);
  return { attribute, op, values: values.map(unescaped), where };
}

export function readOperator(text: string, where: string): Operator {
  const op = text.toLowerCase() as Operator;
  if (!OPERATORS.includes(op)) {
    refuse(`${shown(text)} is not an operator; there are ${OPERATORS.join(', ')}`, where);
  }
  return op;
}

export function checkCount(attribute: string, op: Operator, count: number, where: string): void {
  if ((op === 'between' || op === 'nbetween') && count !== 2) {
    refuse(`${attribute}.${op} needs exactly two values, not ${count}`, where);
  }
}

/** Cuts a value at its commas, still with escapes; the other special characters need one. */
function split(value: string, start: number, of: string, op: Operator): string[] {
  const parts: string[] = [''];
  for (let at = 0; at < value.length; at++) {
    const char = value[at]!;
    if (char === '\\' && at + 1 < value.length) parts.push(parts.pop()! + char + value[++at]!);
    else if (char === ',' && LISTS.has(op)) parts.push('');
    else if (SPECIAL.includes(char)) {
      refuse(`"${char}" in a value needs a backslash before it`, character(start + at, of));
    } else parts.push(parts.pop()! + char);
  }
  return parts.map((part) => part.trim());
}

/** A backslash before any other character is just a backslash. */
function unescaped(text: string): string {
  return text.replace(/\\([~,()\\])/g, '$1');
}
