/** Topological data of a material. */
import { parseStructId } from '@unitcell/contract/common';
import { fetchIrvsp } from '@unitcell/contract/matdata';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { serveCall } from '../../http/serve-call.ts';
import { currentStructId } from '../../infra/sql.ts';

const NOTHING = { is_topo_display: false, labels: [], topo_data_web: [] };

export function topologyFeature(app: FastifyInstance, { database: { readDb } }: Services): void {
  serveCall(app, fetchIrvsp, async ({ body }) => {
    const structId = parseStructId(body.struct_id);
    if (structId === null) return NOTHING;
    const stored = await readDb
      .selectFrom('topology')
      .select(['labels', 'rows'])
      .where('struct_id', '=', currentStructId(structId))
      .executeTakeFirst();
    return stored ? { is_topo_display: true, labels: stored.labels, topo_data_web: stored.rows } : NOTHING;
  });
}
