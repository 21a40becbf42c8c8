/** Collections of materials and saved searches of an account. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { collectionsRepository } from './collections.repository.ts';
import { collectionsRoutes } from './collections.routes.ts';
import { collections } from './collections.service.ts';
import { savedSearchesRepository } from './saved-searches.repository.ts';
import { savedSearches } from './saved-searches.service.ts';

export function collectionsFeature(app: FastifyInstance, { database: { db } }: Services): void {
  collectionsRoutes(app, {
    collections: collections(db, collectionsRepository),
    searches: savedSearches(db, savedSearchesRepository),
  });
}
