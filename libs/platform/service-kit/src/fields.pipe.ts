import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { UnsupportedMediaType } from '@libs/envelope';
import { fieldsOf, parse, parseQuery } from '@libs/fields';
import { platform } from '@libs/platform-name';
import { UnparsedBody } from './body-parsers';

/** Bodies and queries declared with a class of fields arrive as checked instances of it, or end in one 400. */
export class FieldsPipe implements PipeTransform {
  private readonly known = new WeakMap<object, boolean>();

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype || !this.hasFields(metatype))
      return value;
    value = jsonBody(value);
    return type === 'query'
      ? parseQuery(metatype as Type<object>, value)
      : // no body is an empty one; `null` is a body, and not an object
        parse(metatype as Type<object>, value === undefined ? {} : value);
  }

  private hasFields(metatype: Type): boolean {
    let known = this.known.get(metatype);
    if (known === undefined) {
      known = metatype !== Object && fieldsOf(metatype as Type<object>).length > 0;
      this.known.set(metatype, known);
    }
    return known;
  }
}

/** The body as it was parsed, for handlers that check it themselves; one of another kind ends in 415. */
export function jsonBody(value: unknown): unknown {
  if (value instanceof UnparsedBody)
    throw new UnsupportedMediaType(
      platform().code('UNSUPPORTED_BODY'),
      `A body of type ${value.contentType} is not taken here, application/json is`,
    );
  return value;
}
