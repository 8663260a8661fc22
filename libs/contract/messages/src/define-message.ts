/** Work to do: a durable queue whose consumers compete for each message. */
export interface WorkMessage<T> {
  readonly kind: 'work';
  readonly name: string;
  /** Never set; carries the payload's type. */
  readonly payload?: T;
}

/** Something that happened: every subscriber (or one of each named group) hears of it. */
export interface EventMessage<T> {
  readonly kind: 'event';
  readonly name: string;
  /** Never set; carries the payload's type. */
  readonly payload?: T;
}

export type Message<T> = WorkMessage<T> | EventMessage<T>;
export type PayloadOf<M> = M extends Message<infer T> ? T : never;

/** Names a queue of work; the broker's own name for it adds the platform's prefix. */
export function defineWork<T>(name: string): WorkMessage<T> {
  return Object.freeze({ kind: 'work', name });
}

/** Names an event. */
export function defineEvent<T>(name: string): EventMessage<T> {
  return Object.freeze({ kind: 'event', name });
}
