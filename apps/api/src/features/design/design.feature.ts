/** Design, the side people see: ask for new compounds, follow the search, look at what it found. Workers search. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { designRepository } from './design.repository.ts';
import { designRoutes } from './design.routes.ts';
import { designs } from './design.service.ts';

export function designFeature(
  app: FastifyInstance,
  { config, database, queue, completeness }: Services,
): void {
  designRoutes(
    app,
    designs({ database, repository: designRepository(database), queue, completeness, home: config.home }),
  );
}
