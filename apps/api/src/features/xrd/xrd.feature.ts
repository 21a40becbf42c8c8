/** The XRD matcher: which materials of the database a measured powder pattern is of. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../plugins/services.ts';
import { openThreadPool } from '../../threads/thread-pool.ts';
import { patternIndexKeeper } from './index/pattern-index-keeper.ts';
import { matches } from './match/match.service.ts';
import { matchQueue } from './match/match-queue.ts';
import { patterns } from './patterns.service.ts';
import { references } from './references.service.ts';
import { xrdRepository } from './xrd.repository.ts';
import { xrdRoutes } from './xrd.routes.ts';

export function xrdFeature(app: FastifyInstance, { config, database, catalogueCaches, log }: Services): void {
  const threads = openThreadPool('xrd');
  const repository = xrdRepository(database);
  const queue = matchQueue();
  const keeper = patternIndexKeeper({
    databaseUrl: config.databaseUrl,
    threads: openThreadPool('xrd', { size: 1 }),
    onCatalogueChange: catalogueCaches.onChange,
    log,
  });
  // The server listens at once; the index is ready some seconds later.
  app.addHook('onListen', async () => keeper.start());
  app.addHook('preClose', async () => queue.close());
  app.addHook('onClose', async () => {
    await keeper.close();
    await threads.close();
  });
  xrdRoutes(app, {
    patterns: patterns(threads),
    matches: matches({ threads, keeper, repository, queue }),
    references: references(repository, threads),
  });
}
