/** Screening: the whole catalogue by what materials are and can do, from columns held in memory (docs/contributing/adr/0016). */
import {
  downloadScreened,
  materialRows,
  screenElements,
  screenMaterials,
  screenPoints,
} from '@unitcell/contract/matdata';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { RawJson, serveCall, StreamedFile } from '../../http/serve-call.ts';
import { indexRefresher } from '../../infra/index-refresher.ts';
import { openThreadPool } from '../../infra/thread-pool.ts';
import { onScale, type ScreenIndex } from './index/screen-index.ts';
import { screenRepository } from './screen.repository.ts';
import { screen, type Screen } from './screen.service.ts';
import type * as screenThread from './screen.thread.ts';

/** Reading a million materials takes minutes. */
const INDEX_SECONDS = 3600;
/** MiB. While they are read, every different formula stands in a map: 3,000,000 materials take more than the usual 512. */
const INDEX_HEAP_MB = 4096;
/** Questions take milliseconds: few threads answer many. */
const SCREEN_THREADS = 2;
/** What others find asks for no energies. */
const NO_SCALE = '';
const BY_NUMBER = { field: '', desc: false };
const WITHOUT_COUNTS = { offset: 0, facets: [] } as const;

export function screenFeature(
  app: FastifyInstance,
  { config, database, catalogueCaches, phaseEntries, completeness, indexes, materialFinder, log }: Services,
): void {
  const { limits } = config;
  const answering = openThreadPool({
    size: SCREEN_THREADS,
    taskSeconds: limits.taskSeconds,
    waiting: limits.tasksWaiting,
    perOwner: { running: limits.tasksPerOwner, waiting: limits.tasksWaitingPerOwner },
    isKeptWarm: true,
  });
  const reading = openThreadPool({ size: 1, taskSeconds: INDEX_SECONDS, maxHeapMb: INDEX_HEAP_MB });
  const file = new URL('./screen.thread.ts', import.meta.url);
  const reader = reading.open<typeof screenThread>(file);
  const refresher = indexRefresher<ScreenIndex>({
    name: 'screening index',
    refresh: (state) =>
      reader.run('readIndex', {
        databaseUrl: config.databaseUrl,
        versions: state?.versions ?? null,
        isFederated: config.optimadeAccess !== 'off',
      }),
    onFresh: ({ ids, release }, milliseconds) =>
      log.info({ materials: ids.length, release, milliseconds }, 'screening index ready'),
    onCatalogueChange: catalogueCaches.onChange,
    log,
  });
  indexes.set('screening', refresher);
  app.addHook('onListen', async () => refresher.start());
  app.addHook('onClose', async () => {
    refresher.close();
    await reading.close();
    await answering.close();
  });
  const threads = answering.open<typeof screenThread>(file);
  materialFinder.offer(async (query, caller) => {
    // A page of results may be seconds old; to others PostgreSQL tells what came since.
    if (!refresher.isUpToDate()) return null;
    const index = onScale(await refresher.current(), NO_SCALE);
    return threads.run(
      'runScreen',
      { ...query, sort: query.sort ?? BY_NUMBER, index, ...WITHOUT_COUNTS },
      caller,
    );
  });
  screenRoutes(
    app,
    screen({
      refresher,
      threads,
      repository: screenRepository(database),
      phaseEntries,
      completeness,
    }),
  );
}

function screenRoutes(app: FastifyInstance, screenings: Screen): void {
  // Up to 1,000 rows: written as JSON at once, not walked through a schema. A test holds them against the contract.
  serveCall(
    app,
    screenMaterials,
    async ({ body, caller }) => new RawJson(JSON.stringify(await screenings.find(body, caller))),
  );
  serveCall(
    app,
    screenPoints,
    async ({ body, caller }) => new RawJson(await screenings.points(body, caller)),
  );
  serveCall(app, screenElements, async ({ body, caller }) => screenings.elements(body, caller));
  serveCall(app, materialRows, async ({ body }) => new RawJson(JSON.stringify(await screenings.rows(body))));
  serveCall(app, downloadScreened, async ({ body, caller }) => {
    const { parts, type, name } = await screenings.download(body, caller);
    return new StreamedFile(parts, type, name);
  });
}
