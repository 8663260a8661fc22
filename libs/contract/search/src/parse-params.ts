import { conditionOf } from './condition-text';
import { checkText, LONGEST_SEARCH, refuse, shown } from './refuse';
import { allOf, type SearchTree } from './where';

export interface ParamOptions {
  /** `attribute=value` without an operator means eq. */
  bareEquals?: boolean;
}

/**
 * Reads query parameters `attribute.operator=value`, all of which must hold; a name may come more
 * than once. The caller takes out the parameters that mean something else.
 */
export function parseSearchParams(
  params: readonly (readonly [name: string, value: string])[],
  { bareEquals = false }: ParamOptions = {},
): SearchTree | undefined {
  if (params.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > LONGEST_SEARCH) {
    refuse(`the conditions are longer than ${LONGEST_SEARCH} characters`);
  }
  return allOf(
    params.map(([name, value]) => {
      const of = `parameter ${shown(name)}`;
      checkText(value, of);
      const [attribute, operator = bareEquals ? 'eq' : undefined, ...more] = name.split('.');
      if (operator === undefined || more.length) {
        refuse(`${shown(name)} is neither a parameter of this request nor attribute.operator`);
      }
      return conditionOf(attribute!, operator!, value, 0, of);
    }),
  );
}
