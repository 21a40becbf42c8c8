/** Topological data: only SQL. */
import type { Database } from '../../infra/database.ts';
import { currentStructId } from '../../infra/sql.ts';

export type TopologyRepository = ReturnType<typeof topologyRepository>;

export function topologyRepository({ readDb }: Pick<Database, 'readDb'>) {
  return {
    async byStructId(structId: number) {
      const found = await readDb
        .selectFrom('topology')
        .select(['labels', 'rows'])
        .where('struct_id', '=', currentStructId(structId))
        .executeTakeFirst();
      return found ?? null;
    },
  };
}
