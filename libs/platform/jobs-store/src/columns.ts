import { getMetadataArgsStorage } from 'typeorm';
import { JobEventRow } from './job-event-row';
import { JobRow } from './job-row';

export interface ColumnFacts {
  attribute: string;
  column: string;
  /** The PostgreSQL type, for casts. */
  type: string;
  fixed: boolean;
}

function columnsOf(entity: abstract new () => object): ColumnFacts[] {
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName, options }) => ({
      attribute: propertyName,
      column: options.name ?? propertyName,
      type: `${String(options.type)}${options.array ? '[]' : ''}`,
      fixed: options.update === false || propertyName === 'id',
    }));
}

/** Every column of a job, and the attributes by name. */
export const JOB_COLUMNS = columnsOf(JobRow);
export const JOB_COLUMN: ReadonlyMap<string, ColumnFacts> = new Map(
  JOB_COLUMNS.map((c) => [c.attribute, c]),
);
const CHANGEABLE = JOB_COLUMNS.filter((c) => !c.fixed);
const EVENT_COLUMNS = columnsOf(JobEventRow);

const aliased = (columns: ColumnFacts[]) => (table: string) =>
  columns.map((c) => `${table}.${c.column} as "${c.attribute}"`).join(', ');
/** Select lists whose result rows are the row classes. */
export const jobList = aliased(JOB_COLUMNS);
export const changeableList = aliased(CHANGEABLE);
export const eventList = aliased(EVENT_COLUMNS);

/** The driver hands bigint over as text. */
export function withNumericId<T>(rows: (T & { id?: number | string })[]): T[] {
  for (const row of rows) if (row.id !== undefined) row.id = Number(row.id);
  return rows;
}
