import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { addField, type Field, type Rule } from './field';

/** Puts one field on a class: its record and its property in the OpenAPI document. */
export function defineField(prototype: object, field: Field): void {
  addField(prototype, field);
  ApiProperty(property(field))(prototype, field.name);
}

function property(field: Field): ApiPropertyOptions {
  const { description, example, nullable } = field;
  const known = {
    description,
    example,
    nullable: nullable || undefined,
    default: field.default,
  };
  return {
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
    ...schema(field.rule),
    required: !field.optional && field.default === undefined,
  } as ApiPropertyOptions;
}

/** A lazy class is known as such by the name of its function, "type": so it is written in place. */
function schema(rule: Rule): Record<string, unknown> {
  switch (rule.kind) {
    case 'text':
      return {
        type: 'string',
        ...(rule.min > 0 && { minLength: rule.min }),
        maxLength: rule.max,
        ...(rule.match && { pattern: rule.match.source }),
      };
    case 'choice':
      return { type: 'string', enum: [...rule.values] };
    case 'flag':
      return { type: 'boolean' };
    case 'number':
      return rule.whole
        ? { type: 'integer', minimum: rule.min, maximum: rule.max }
        : { type: 'number' };
    case 'moment':
      return { type: 'string', format: 'date-time' };
    case 'part':
      return { type: () => rule.of() };
    case 'json':
      if (rule.root === 'object-or-text')
        return { oneOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }] };
      if (rule.root === 'any') return { type: 'object', additionalProperties: true };
      return {
        type: 'object',
        additionalProperties: rule.values === 'text' ? { type: 'string' } : true,
      };
    case 'items': {
      const { each, minItems, maxItems, unique } = rule;
      const limits = {
        ...(minItems > 0 && { minItems }),
        maxItems,
        ...(unique && { uniqueItems: true }),
      };
      return each.kind === 'part'
        ? { type: () => each.of(), isArray: true, ...limits }
        : { type: 'array', items: schema(each), ...limits };
    }
  }
}
