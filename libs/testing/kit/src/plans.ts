interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

/** Sends a statement; that of a database fits. */
type Query = (sql: string, params: unknown[]) => Promise<Record<string, unknown>[]>;

/** What a statement does with a table, as the server's plan of it says after running it. */
export interface Plan {
  /** The table is read from its beginning to its end. */
  readsAll: boolean;
  /** Rows that were put in order. */
  sorted: number;
  text: string;
}

export async function planOf(
  query: Query,
  table: string,
  sql: string,
  params: unknown[],
): Promise<Plan> {
  const [row] = await query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, params);
  const [{ Plan: root }] = row!['QUERY PLAN'] as [{ Plan: PlanNode }];
  const nodes = all(root);
  const sorts = nodes.filter((node) => node['Node Type'] === 'Sort');
  const below = sorts.flatMap((node) => node.Plans ?? []);
  return {
    readsAll: nodes.some(
      (node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table,
    ),
    sorted: Math.max(0, ...below.map((node) => node['Actual Rows'] * node['Actual Loops'])),
    text: JSON.stringify(root, null, 1),
  };
}

const all = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(all)];
