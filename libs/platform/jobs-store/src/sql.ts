/** What the store needs of a database or of a transaction in it: bound parameters in, rows out. */
export interface Sql {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  query(text: string, params?: unknown[]): Promise<any>;
}

/** `appId` is column `app_id`. */
export const snake = (attribute: string): string =>
  attribute.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** Collects bound values while a statement is put together: `$(value)` answers its placeholder. */
export class Params {
  readonly values: unknown[] = [];
  readonly $ = (value: unknown): string => `$${this.values.push(value)}`;
}
