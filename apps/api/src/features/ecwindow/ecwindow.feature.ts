/** Electrochemical windows: search of the derived table, and one window in full. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { ecwindowRoutes } from './ecwindow.routes.ts';
import { windowDetails } from './window-detail.service.ts';
import { windowSearchRepository } from './window-search.repository.ts';
import { windowSearch } from './window-search.service.ts';
import type * as ecwindowThread from './ecwindow.thread.ts';

export function ecwindowFeature(
  app: FastifyInstance,
  { database, phaseEntries, completeness, threads, catalogueCaches }: Services,
): void {
  const door = threads.open<typeof ecwindowThread>(new URL('./ecwindow.thread.ts', import.meta.url));
  ecwindowRoutes(
    app,
    windowSearch(windowSearchRepository(database), phaseEntries, completeness),
    windowDetails({ entries: phaseEntries, completeness, threads: door, caches: catalogueCaches }),
  );
}
