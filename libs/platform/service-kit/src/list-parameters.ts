import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { Items } from '@libs/fields';

/** What every list takes; the service reads it with `listQuery`, so here it is only told. */
const PARAMETERS: Record<string, string> = {
  limit: 'Records of a page, 100 unless given; 0 or less: all',
  skip: 'Records to leave out; not with startAfter',
  orderBy: 'attribute(asc|desc), several with commas',
  startAfter: 'With orderBy: only what comes after this value of its first attribute',
  computeTotal: 'Whether metadata tells how many records there are',
  search: '(attribute.operator.value), several joined with ~',
};

/** For the API document: the parameters of a list, and those of this one beside them. */
export const ListParameters = (more: Record<string, string> = {}): MethodDecorator =>
  applyDecorators(
    ...Object.entries({ ...PARAMETERS, ...more }).map(([name, description]) =>
      ApiQuery({ name, description, required: false, type: String }),
    ),
  );

/** The body of a search, for the API document. */
export class SearchBody {
  @Items(String, { minItems: 1, description: 'Strings that together are one SQL-like condition' })
  search!: string[];
}
