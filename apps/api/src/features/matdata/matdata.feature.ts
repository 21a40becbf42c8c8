/** The materials: search, detail, and what is calculated from one cell. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { cellsRepository } from './cells.repository.ts';
import { crystalViewsRoutes } from './crystal-views.routes.ts';
import { crystalViews } from './crystal-views.service.ts';
import { detailRepository } from './detail.repository.ts';
import { detailRoutes } from './detail.routes.ts';
import { detail } from './detail.service.ts';
import { filesRoutes } from './files.routes.ts';
import { materialFiles } from './files.service.ts';
import { relatedRepository } from './related.repository.ts';
import { relatedRoutes } from './related.routes.ts';
import { related } from './related.service.ts';
import { searchRepository } from './search.repository.ts';
import { searchRoutes } from './search.routes.ts';
import { search } from './search.service.ts';
import type * as matdataThread from './matdata.thread.ts';

/** Searches with more matches than are sent, whose true number is remembered. */
const REMEMBERED_COUNTS = 1000;

export function matdataFeature(
  app: FastifyInstance,
  {
    config,
    database,
    catalogueCaches,
    completeness,
    scaleTrust,
    phaseEntries,
    powderPatterns,
    threads,
  }: Services,
): void {
  const counts = catalogueCaches.create<number>(REMEMBERED_COUNTS);
  searchRoutes(app, search(searchRepository(database, counts), phaseEntries, completeness));
  const details = detail(detailRepository(database), { completeness, scaleTrust }, config.publicUrl);
  detailRoutes(app, details);
  relatedRoutes(app, related(relatedRepository(database)));
  const door = threads.open<typeof matdataThread>(new URL('./matdata.thread.ts', import.meta.url));
  const views = crystalViews({ cells: cellsRepository(database), powderPatterns, threads: door });
  crystalViewsRoutes(app, views);
  filesRoutes(app, materialFiles(details, views));
}
