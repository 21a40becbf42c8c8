/** The materials: search, detail, and calculations from one cell. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { crystalViewsRoutes } from './crystal-views.ts';
import { detailRoutes } from './detail.ts';
import { embedRoutes } from './embed.ts';
import { filesRoutes } from './files.ts';
import { phononsRoutes } from './phonons.ts';
import { relatedRoutes } from './related.ts';
import { reportsRoutes } from './reports.ts';
import { searchRoutes } from './search.ts';

export function matdataFeature(app: FastifyInstance, services: Services): void {
  searchRoutes(app, services);
  const detailOf = detailRoutes(app, services);
  relatedRoutes(app, services.database);
  embedRoutes(app, services, detailOf);
  reportsRoutes(app, services.database);
  filesRoutes(app, detailOf, crystalViewsRoutes(app, services), phononsRoutes(app, services));
}
