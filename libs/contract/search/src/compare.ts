import { timestampOf } from './timestamp';
import type { AttributeType, Scalar } from './where';

export type Row = Readonly<Record<string, unknown>>;

/** The value of a record's attribute as it is compared; undefined when it has none. */
export function comparableValue(value: unknown, type: AttributeType): Scalar | undefined {
  if (value === undefined || value === null) return undefined;
  switch (type) {
    case 'integer':
    case 'number':
      return Number(value);
    case 'boolean':
      return value as boolean;
    case 'timestamp':
      return timestampOf(value instanceof Date ? value.toISOString() : String(value));
    default:
      return String(value);
  }
}

/** Negative, zero or positive; texts by code point, as UTF-8 bytes order them too. */
export function compare(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return Number(a) - Number(b);
}
