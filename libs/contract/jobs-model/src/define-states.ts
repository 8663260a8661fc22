/** active: something works on it; parked: waits for an outside change; terminal: over, never leaves. */
export type StateKind = 'active' | 'parked' | 'terminal';

export interface StateRow {
  readonly kind: StateKind;
  readonly next: readonly string[];
  /** What the state means, for people. */
  readonly says: string;
}

type OfKind<T extends Record<string, StateRow>, K extends StateKind> = {
  [S in keyof T]: T[S]['kind'] extends K ? S : never;
}[keyof T] &
  string;

/** A life cycle: which states there are, which moves are legal, and everything derived from that. */
export interface States<T extends Record<string, StateRow>> {
  readonly table: T;
  readonly all: readonly (keyof T & string)[];
  readonly active: readonly OfKind<T, 'active'>[];
  readonly parked: readonly OfKind<T, 'parked'>[];
  readonly terminal: readonly OfKind<T, 'terminal'>[];
  isActive(state: string): state is OfKind<T, 'active'>;
  isParked(state: string): state is OfKind<T, 'parked'>;
  isTerminal(state: string): state is OfKind<T, 'terminal'>;
  /** Whether the table allows the move; an active state may always "move" to itself. */
  mayMove(from: string, to: string): boolean;
  nextOf(from: keyof T & string): readonly string[];
  /** The states a move to `to` may start from. */
  sourcesOf(to: keyof T & string): readonly (keyof T & string)[];
  /** Lines of a Mermaid state diagram. */
  diagram(): string;
}

export interface StateRules {
  /** Any active state may go to these. */
  readonly interruptedBy?: readonly string[];
  /** A parked state may go back to any active state. */
  readonly parkedResume?: boolean;
}

/** Makes a life cycle from its table; a name in `next` that the table lacks is refused at once. */
export function defineStates<const T extends Record<string, StateRow>>(
  table: T,
  rules: StateRules = {},
): States<T> {
  const all = Object.keys(table) as (keyof T & string)[];
  const ofKind = <K extends StateKind>(kind: K) =>
    all.filter((s) => row(s).kind === kind) as unknown as OfKind<T, K>[];
  const row = (state: string) => table[state] as StateRow;
  const active = ofKind('active');
  const terminal = ofKind('terminal');
  const moves = new Map<string, Set<string>>();
  for (const state of all) {
    const { kind, next } = row(state);
    if (kind === 'terminal' && next.length) throw new Error(`${state} is terminal, yet has a next`);
    const to = new Set<string>(next);
    if (kind === 'active') [state, ...(rules.interruptedBy ?? [])].forEach((s) => to.add(s));
    if (kind === 'parked' && rules.parkedResume) active.forEach((s) => to.add(s));
    for (const name of to)
      if (!(name in table)) throw new Error(`${state} leads to unknown ${name}`);
    moves.set(state, to);
  }
  const is = (states: readonly string[]) => {
    const set = new Set(states);
    return (state: string) => set.has(state);
  };
  const mayMove = (from: string, to: string) => moves.get(from)?.has(to) ?? false;
  return {
    table,
    all,
    active,
    parked: ofKind('parked'),
    terminal,
    isActive: is(active) as States<T>['isActive'],
    isParked: is(ofKind('parked')) as States<T>['isParked'],
    isTerminal: is(terminal) as States<T>['isTerminal'],
    mayMove,
    nextOf: (from) => [...(moves.get(from) ?? [])],
    sourcesOf: (to) => all.filter((from) => mayMove(from, to)),
    diagram: () =>
      all
        .flatMap((from) =>
          [...moves.get(from)!].filter((to) => to !== from).map((to) => `${from} --> ${to}`),
        )
        .join('\n'),
  };
}
