import { fetchIrvsp, parseStructId } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '../../http/serve-call.ts';
import type { TopologyRepository } from './topology.repository.ts';

const NOTHING = { is_topo_display: false, labels: [], topo_data_web: [] };

export function topologyRoutes(app: FastifyInstance, topology: TopologyRepository): void {
  serveCall(app, fetchIrvsp, async ({ body }) => {
    const structId = parseStructId(body.struct_id);
    const stored = structId === null ? null : await topology.byStructId(structId);
    return stored ? { is_topo_display: true, labels: stored.labels, topo_data_web: stored.rows } : NOTHING;
  });
}
