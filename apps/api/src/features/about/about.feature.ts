/** The public pages: counters and the texts of the operator. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { aboutRepository } from './about.repository.ts';
import { aboutRoutes } from './about.routes.ts';
import { about } from './about.service.ts';
import { lists } from './lists.service.ts';

export function aboutFeature(app: FastifyInstance, { database, phaseEntries }: Services): void {
  aboutRoutes(app, about(aboutRepository(database)), lists(phaseEntries));
}
