import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { fieldsOf, parse } from '@libs/fields';

/** Bodies and queries declared with a class of fields arrive as checked instances of it, or end in one 400. */
export class FieldsPipe implements PipeTransform {
  private readonly known = new WeakMap<object, boolean>();

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype || !this.hasFields(metatype))
      return value;
    return parse(metatype as Type<object>, value ?? {});
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
