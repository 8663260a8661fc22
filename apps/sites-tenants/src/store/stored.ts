/** A row of the registry: what is unique or asked for is a column, the rest lies in the record. */
export interface Stored<T> {
  record: T;
  created: Date;
  updated: Date;
  created_by: string;
  updated_by: string;
}
