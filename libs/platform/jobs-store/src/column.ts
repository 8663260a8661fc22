import { Column, type ColumnOptions } from 'typeorm';
import { snake } from './sql';

type Options = Pick<ColumnOptions, 'nullable' | 'array' | 'default' | 'update'>;
const column =
  (type: ColumnOptions['type'], fixed: ColumnOptions = {}) =>
  (options: Options = {}): PropertyDecorator =>
  (target, key) =>
    Column({ type: type as 'text', name: snake(String(key)), ...fixed, ...options })(target, key);

/** Columns named after their attribute, in snake case. Text orders by code point: the database is made so. */
export const Text = column('text');
export const Int = column('integer');
export const Flag = column('boolean');
export const Time = column('timestamptz', { precision: 3 });
export const Json = column('jsonb');

/** Written once, at submission. */
export const fixed = { update: false } as const;
export const fixedOptional = { update: false, nullable: true } as const;
export const optional = { nullable: true } as const;
