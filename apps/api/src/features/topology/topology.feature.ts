/** Topological data of a material. */
import { parseStructId } from '@unitcell/contract/common';
import { fetchIrvsp } from '@unitcell/contract/matdata';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { serveCall } from '../../http/serve-call.ts';
import { currentStructId } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';

const NOTHING = { is_topo_display: false, labels: [], topo_data_web: [] };

export function topologyFeature(app: FastifyInstance, { database: { readDb } }: Services): void {
  serveCall(app, fetchIrvsp, async ({ body }) => {
    const structId = parseStructId(body.struct_id);
    const stored =
      structId === null
        ? undefined
        : await readDb
            .selectFrom('material')
            .leftJoin('topology', 'topology.struct_id', 'material.struct_id')
            .select(['labels', 'rows'])
            .where('material.struct_id', '=', currentStructId(structId))
            .executeTakeFirst();
    if (!stored) throw new AppError('material.not-found', { id: String(body.struct_id).slice(0, 20) });
    const { labels, rows } = stored;
    return labels && rows ? { is_topo_display: true, labels, topo_data_web: rows } : NOTHING;
  });
}
