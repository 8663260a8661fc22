import type { AttributeType } from './where';

/** What a list must know of an attribute; the records of the fields library are such. */
export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly search?: boolean;
  readonly sort?: boolean;
  readonly summary?: boolean;
}

/** The attributes of a resource, found by any spelling: execSystemId, exec_system_id, ExecSystemId. */
export class Attributes {
  private static readonly known = new WeakMap<readonly Attribute[], Attributes>();
  private readonly exact = new Map<string, Attribute>();
  private readonly folded = new Map<string, Attribute>();

  constructor(readonly list: readonly Attribute[]) {
    for (const one of list) {
      this.exact.set(one.name, one);
      if (!this.folded.has(fold(one.name))) this.folded.set(fold(one.name), one);
    }
  }

  /** Made once for each list: lists of attributes live as long as the process. */
  static of(list: readonly Attribute[]): Attributes {
    let known = this.known.get(list);
    if (!known) this.known.set(list, (known = new Attributes(list)));
    return known;
  }

  find(name: string): Attribute | undefined {
    return this.exact.get(name) ?? this.folded.get(fold(name));
  }

  searchable(name: string): Attribute | undefined {
    const found = this.find(name);
    return found?.search && found.type !== 'json' ? found : undefined;
  }

  sortable(name: string): Attribute | undefined {
    const found = this.find(name);
    return found?.sort && found.type !== 'json' && found.type !== 'tags' ? found : undefined;
  }

  /** The names a message lists when one is unknown. */
  names(of: 'searchable' | 'sortable'): string {
    return this.list
      .filter(({ name }) => this[of](name))
      .map(({ name }) => name)
      .join(', ');
  }
}

function fold(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
