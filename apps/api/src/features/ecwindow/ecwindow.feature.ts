/** Electrochemical windows: search of the derived table, and one window in full. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../plugins/services.ts';
import { ecwindowRoutes } from './ecwindow.routes.ts';
import { windowDetails } from './window-detail.service.ts';
import { windowSearchRepository } from './window-search.repository.ts';
import { windowSearch } from './window-search.service.ts';

export function ecwindowFeature(
  app: FastifyInstance,
  { database, phaseEntries, phaseThreads, catalogueCaches }: Services,
): void {
  ecwindowRoutes(
    app,
    windowSearch(windowSearchRepository(database), phaseEntries),
    windowDetails({ entries: phaseEntries, threads: phaseThreads, caches: catalogueCaches }),
  );
}
