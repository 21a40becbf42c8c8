/** Topological data: only SQL. */
import type { Database } from '../../plugins/database.ts';

export interface StoredTopology {
  readonly labels: string[];
  readonly rows: Record<string, unknown>[];
}

export type TopologyRepository = ReturnType<typeof topologyRepository>;

export function topologyRepository({ readPool }: Pick<Database, 'readPool'>) {
  return {
    async byStructId(structId: number): Promise<StoredTopology | null> {
      const { rows } = await readPool.query<StoredTopology>(
        'SELECT labels, rows FROM topology WHERE struct_id = $1',
        [structId],
      );
      return rows[0] ?? null;
    },
  };
}
