/** Topological data of a material. */
import { parseStructId } from '@unitcell/contract/common';
import { fetchIrvsp } from '@unitcell/contract/topology';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { currentStructId } from '../../infra/sql.ts';

type TopologyRepository = ReturnType<typeof topologyRepository>;

function topologyRepository({ readDb }: Pick<Database, 'readDb'>) {
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

const NOTHING = { is_topo_display: false, labels: [], topo_data_web: [] };

function topologyRoutes(app: FastifyInstance, topology: TopologyRepository): void {
  serveCall(app, fetchIrvsp, async ({ body }) => {
    const structId = parseStructId(body.struct_id);
    const stored = structId === null ? null : await topology.byStructId(structId);
    return stored ? { is_topo_display: true, labels: stored.labels, topo_data_web: stored.rows } : NOTHING;
  });
}

export function topologyFeature(app: FastifyInstance, { database }: Services): void {
  topologyRoutes(app, topologyRepository(database));
}
