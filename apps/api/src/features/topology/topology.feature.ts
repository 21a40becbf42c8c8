/** Topological data of a material. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { topologyRepository } from './topology.repository.ts';
import { topologyRoutes } from './topology.routes.ts';

export function topologyFeature(app: FastifyInstance, { database }: Services): void {
  topologyRoutes(app, topologyRepository(database));
}
