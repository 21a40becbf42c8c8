/** The XRD matcher: which materials of the database a measured powder pattern is of. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { openThreadPool, type ThreadPool } from '../../infra/thread-pool.ts';
import { patternIndexKeeper } from './index/pattern-index-keeper.ts';
import { matches, matchStatusOf } from './match/match.service.ts';
import { matchRepository } from './match/match.repository.ts';
import { matchQueue } from './match/match-queue.ts';
import { patterns, references } from './patterns.service.ts';
import { xrdRepository } from './xrd.repository.ts';
import { xrdRoutes } from './xrd.routes.ts';
import { xrdMetrics } from './xrd-metrics.ts';
import type * as xrdThread from './xrd.thread.ts';

/** Reading the patterns of a million materials takes minutes. */
const INDEX_SECONDS = 3600;

export function xrdFeature(
  app: FastifyInstance,
  {
    config,
    database,
    catalogueCaches,
    threads,
    powderPatterns,
    phaseEntries,
    indexes,
    metrics,
    log,
  }: Services,
): void {
  // A match takes all processors for seconds and has a queue of its own: it does not stand in the way of other calculations.
  const matching = openThreadPool({ taskSeconds: config.limits.matchSeconds });
  const indexing = openThreadPool({ size: 1, taskSeconds: INDEX_SECONDS });
  const doorOf = (pool: ThreadPool) =>
    pool.open<typeof xrdThread>(new URL('./xrd.thread.ts', import.meta.url));
  const repository = xrdRepository(database, phaseEntries.defaultFunctional);
  const keeper = patternIndexKeeper({
    databaseUrl: config.databaseUrl,
    refreshIndex: (request) => doorOf(indexing).run('refreshIndex', request),
    onCatalogueChange: catalogueCaches.onChange,
    log,
  });
  indexes.set('patterns', keeper);
  const queue = matchQueue({ repository: matchRepository(database), statusOf: matchStatusOf(keeper), log });
  metrics.push(xrdMetrics(database, keeper));
  // The server listens at once; the index is ready some seconds later.
  app.addHook('onListen', async () => keeper.start());
  app.addHook('preClose', async () => queue.close());
  app.addHook('onClose', async () => {
    keeper.close();
    await indexing.close();
    await matching.close();
  });
  xrdRoutes(app, {
    patterns: patterns(doorOf(threads)),
    matches: matches({
      threads: { ...doorOf(matching), size: matching.size },
      keeper,
      repository,
      functional: phaseEntries.defaultFunctional,
      queue,
    }),
    references: references(repository, powderPatterns),
  });
}
