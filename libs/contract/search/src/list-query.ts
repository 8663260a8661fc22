import { BadInput, isApiError } from '@libs/envelope';
import { platform } from '@libs/platform-name';
import { Attributes, type Attribute } from './attributes';
import { type OrderKey, parseOrderBy } from './order-by';
import { parseSearchParams } from './parse-params';
import { parseSearch } from './parse-search';
import { parseSqlLike } from './parse-sql-like';
import { refuse, shown, checkText } from './refuse';
import { resolve, scalarOf } from './resolve';
import { searchStrings } from './search-body';
import { parseSelect, type SelectSpec } from './select';
import { allOf, type Scalar, type SearchTree, type Where } from './where';

type Codes = Partial<Record<'query' | 'search' | 'select' | 'orderBy' | 'listType', string>>;

/** What a list knows of itself: one constant per kind of resource. */
export interface ListSpec {
  readonly attributes: readonly Attribute[];
  /** Attributes that together name one record; they break ties of the order. */
  readonly unique: readonly string[];
  /** How `select` behaves; summary attributes, and unknown names left out, unless given. */
  readonly select?: Omit<SelectSpec, 'attributes'>;
  /** Allowed values of `listType`, the default one first. Absent: the list takes none. */
  readonly listTypes?: readonly string[];
  /** The order when `orderBy` is not given, written like it. */
  readonly order?: string;
  /** No page is longer than this, `limit=-1` included. */
  readonly maxLimit?: number;
  /** A search parameter `attribute=value` means eq. */
  readonly bareEquals?: boolean;
  /** Further parameters, which the service reads itself. */
  readonly extra?: readonly string[];
  /** Codes of the errors; one shared code unless given. */
  readonly codes?: Codes;
}

export interface ListQuery {
  readonly select: readonly string[];
  /** With the unique attributes at the end, so that the order is total. */
  readonly orderBy: readonly OrderKey[];
  /** The first order key alone tells records apart. */
  readonly keyed: boolean;
  /** Undefined is unlimited. */
  readonly limit: number | undefined;
  readonly skip: number;
  /** Only records strictly after this value of the first order key. */
  readonly startAfter: Scalar | undefined;
  readonly computeTotal: boolean;
  readonly listType: string | undefined;
  readonly where: Where | undefined;
  /** As the request gave them, for the metadata. */
  readonly given: {
    readonly limit?: number;
    readonly skip?: number;
    readonly orderBy?: string;
    readonly startAfter?: string;
  };
}

/** Where a request has its conditions beside `search`. */
export interface ListSource {
  /** Parameters `attribute.operator=value` are conditions (GET search). */
  readonly conditions?: boolean;
  /** The body `{search: [...]}` of a POST search. */
  readonly body?: unknown;
}

const DEFAULT_LIMIT = 100;
const PARAMETERS = [
  'pretty',
  'select',
  'search',
  'orderBy',
  'limit',
  'skip',
  'startAfter',
  'computeTotal',
  'listType',
];

/** Reads everything a list request may say, or ends in one 400 with all that is wrong. */
export function listQuery(
  rawQuery: object,
  spec: ListSpec,
  { conditions = false, body }: ListSource = {},
): ListQuery {
  const attributes = Attributes.of(spec.attributes);
  const problems = new Problems(spec.codes);
  const { params, conditionParams } = problems.take('query', () =>
    sort(rawQuery, spec, conditions),
  ) ?? {
    params: new Map<string, string>(),
    conditionParams: [],
  };
  const param = (name: string) => params.get(name)?.trim() || undefined;

  const select = problems.take('select', () =>
    parseSelect(param('select'), {
      fallback: 'summary',
      ...spec.select,
      attributes: spec.attributes,
    }),
  );
  const keys = problems.take('orderBy', () =>
    parseOrderBy(param('orderBy') ?? spec.order ?? spec.unique.join(','), attributes),
  );
  const limit = problems.take('query', () => whole('limit', params.get('limit')));
  const skip = problems.take('query', () => whole('skip', params.get('skip')));
  const startAfter = problems.take('query', () => {
    const text = param('startAfter');
    if (text === undefined) return undefined;
    if (!param('orderBy')) refuse('startAfter needs orderBy');
    if ((skip ?? 0) > 0) refuse('startAfter and skip exclude each other');
    checkText(text, 'startAfter');
    const first = keys?.[0];
    return first && scalarOf({ ...first, name: first.attribute }, text, 'startAfter');
  });
  const listType = problems.take('listType', () => listTypeOf(param('listType'), spec.listTypes));
  const where = problems.take('search', () => {
    const trees: (SearchTree | undefined)[] = [
      parseSearch(params.get('search') ?? ''),
      parseSearchParams(conditionParams, spec),
    ];
    if (body !== undefined) trees.push(parseSqlLike(searchStrings(body)));
    return resolve(allOf(trees), attributes);
  });
  problems.throwIfAny();
  return {
    select: select!,
    orderBy: total(keys!, spec, attributes),
    keyed: spec.unique.length === 1 && keys![0]?.attribute === spec.unique[0],
    limit: pageOf(limit, spec.maxLimit),
    skip: Math.max(0, skip ?? 0),
    startAfter,
    computeTotal: param('computeTotal')?.toLowerCase() === 'true',
    listType,
    where,
    given: { limit, skip, orderBy: param('orderBy'), startAfter: param('startAfter') },
  };
}

/** Tells the list's own parameters from conditions; a name may come once, a condition more often. */
function sort(
  rawQuery: object,
  spec: ListSpec,
  conditions: boolean,
): { params: Map<string, string>; conditionParams: [string, string][] } {
  const own = new Set([...PARAMETERS, ...(spec.extra ?? [])]);
  const params = new Map<string, string>();
  const conditionParams: [string, string][] = [];
  const wrong: string[] = [];
  const entries =
    rawQuery instanceof URLSearchParams ? grouped(rawQuery) : Object.entries(rawQuery);
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    const values: unknown[] = Array.isArray(value) ? value : [value];
    if (values.some((one) => typeof one !== 'string')) {
      wrong.push(`parameter ${shown(name)} must be plain text`);
    } else if (!own.has(name)) {
      if (conditions) values.forEach((one) => conditionParams.push([name, one as string]));
      else
        wrong.push(
          `${shown(name)} is not a parameter of this list (there are: ${[...own].join(', ')})`,
        );
    } else if (values.length > 1) wrong.push(`parameter ${shown(name)} is there twice`);
    else params.set(name, values[0] as string);
  }
  if (wrong.length) throw new BadInput(platform().code('INVALID_QUERY'), 'bad parameters', wrong);
  return { params, conditionParams };
}

function grouped(query: URLSearchParams): [string, string[]][] {
  return [...new Set(query.keys())].map((name) => [name, query.getAll(name)]);
}

function whole(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) refuse(`${name} must be a whole number, not ${shown(text)}`);
  return number;
}

function pageOf(limit: number | undefined, most = Infinity): number | undefined {
  const wanted = limit === undefined ? DEFAULT_LIMIT : limit > 0 ? limit : Infinity;
  const page = Math.min(wanted, most);
  return page === Infinity ? undefined : page;
}

function listTypeOf(
  text: string | undefined,
  types: readonly string[] | undefined,
): string | undefined {
  if (text === undefined || !types) return types?.[0];
  const found = types.find((type) => type.toLowerCase() === text.toLowerCase());
  return found ?? refuse(`listType ${shown(text)} is not one of ${types.join(', ')}`);
}

/** Ties are settled by the unique keys, in the direction of the last one asked for: an index gives that, read either way. */
function total(
  keys: readonly OrderKey[],
  { unique }: ListSpec,
  attributes: Attributes,
): OrderKey[] {
  const ties = unique.map((name) => ({
    attribute: name,
    type: attributes.find(name)?.type ?? 'string',
    descending: keys.at(-1)?.descending ?? false,
  }));
  return [...keys, ...ties.filter((tie) => !keys.some((key) => key.attribute === tie.attribute))];
}

/** Collects what is wrong with each parameter; the first one's code is the answer's. */
class Problems {
  private readonly violations: string[] = [];
  private code: string | undefined;

  constructor(private readonly codes: Codes = {}) {}

  take<T>(kind: keyof Codes, run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      if (!isApiError(error, 400)) throw error;
      this.code ??= this.codes[kind] ?? error.code;
      this.violations.push(...(error as BadInput).violations);
      return undefined;
    }
  }

  throwIfAny(): void {
    if (this.code) throw new BadInput(this.code, 'the query is not valid', this.violations);
  }
}
