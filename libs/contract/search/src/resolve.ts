import type { Attribute, Attributes } from './attributes';
import { refuse, shown } from './refuse';
import { timestampOf } from './timestamp';
import {
  type AttributeType,
  type Condition,
  mapTree,
  type Operator,
  OPERATORS,
  type Scalar,
  type SearchTree,
  type TypedCondition,
  type Where,
} from './where';

const COMPARE: readonly Operator[] = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte'];
const RANGE: readonly Operator[] = ['between', 'nbetween'];
const SET: readonly Operator[] = ['in', 'nin'];

const ALLOWED: Readonly<Record<AttributeType, readonly Operator[]>> = {
  string: OPERATORS.filter((op) => !op.endsWith('contains')),
  integer: [...COMPARE, ...RANGE, ...SET],
  number: [...COMPARE, ...RANGE, ...SET],
  boolean: ['eq', 'neq'],
  timestamp: [...COMPARE, ...RANGE],
  tags: ['contains', 'ncontains', 'in', 'nin'],
  json: [],
};

const WANTED: Readonly<Record<AttributeType, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  timestamp: 'a time such as 2026-01-31T12:00:00Z (its end may be missing)',
  tags: 'a text',
  json: 'nothing',
};

/** Finds each condition's attribute and gives its values the attribute's type, or refuses. */
export function resolve(tree: SearchTree | undefined, attributes: Attributes): Where | undefined {
  return tree && mapTree(tree, (condition) => typed(condition, attributes));
}

function typed(condition: Condition, attributes: Attributes): TypedCondition {
  const { op, values, pattern, where } = condition;
  const attribute = attributes.searchable(condition.attribute);
  if (!attribute) {
    const why = attributes.find(condition.attribute) ? 'cannot be searched' : 'is not known';
    refuse(
      `attribute ${shown(condition.attribute)} ${why} (searchable: ${attributes.names('searchable')})`,
      where,
    );
  }
  const { name, type } = attribute;
  if (!ALLOWED[type].includes(op)) {
    refuse(`${op} is not for ${name}, which takes ${ALLOWED[type].join(', ')}`, where);
  }
  return {
    attribute: name,
    type,
    op,
    values: values.map((value) => scalarOf(attribute, value, where)),
    ...(pattern && { pattern }),
  };
}

/** The value of a text as the attribute has it; refuses what cannot be read as such. */
export function scalarOf({ name, type }: Attribute, text: string, where: string): Scalar {
  const value = read(type, text);
  return value ?? refuse(`${name} takes ${WANTED[type]}, not ${shown(text)}`, where);
}

function read(type: AttributeType, text: string): Scalar | undefined {
  switch (type) {
    case 'string':
    case 'tags':
      return text;
    case 'integer': {
      const number = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : NaN;
      return Number.isSafeInteger(number) ? number : undefined;
    }
    case 'number': {
      const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : NaN;
      return Number.isFinite(number) ? number : undefined;
    }
    case 'boolean': {
      const truth: Record<string, boolean> = { true: true, false: false };
      return truth[text.trim().toLowerCase()];
    }
    case 'timestamp':
      return timestampOf(text.trim());
    case 'json':
      return undefined;
  }
}
