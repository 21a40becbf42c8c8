/** The XRD matcher: finds the materials that match a measured powder pattern, and refines them against it. */
import {
  type ReceivedPattern,
  xrdCancel,
  xrdExplain,
  xrdGet,
  xrdIdentify,
  xrdMatch,
  xrdNorData,
  xrdProgress,
  xrdReceive,
  xrdRefine,
  xrdRemoveBg,
} from '@unitcell/contract/xrd';
import type { MeasurementRecord } from '@unitcell/diffraction';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Services } from '../../domain/services.ts';
import type { MetricsSource } from '../../infra/metrics.ts';
import { done, RawJson, serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { openThreadPool, type ThreadPool } from '../../infra/thread-pool.ts';
import { patternIndexRefresher, type PatternIndexRefresher } from './match/pattern-index.ts';
import { lapsed, matchQueue } from './match/match-queue.ts';
import { matches } from './match/match.service.ts';
import { patterns, references, xrdRepository } from './patterns.ts';
import { identifications } from './refine/identify.service.ts';
import { refinements } from './refine/refine.service.ts';
import type * as xrdThread from './xrd.thread.ts';

/** Reading the patterns of a million materials takes minutes. */
const INDEX_SECONDS = 3600;

/** Time limit of a refinement, which ends by itself after half of it. */
const LONGEST_REFINEMENT_SECONDS = 240;
/** Number of simultaneous refinements in this process; matches have the same number. */
const REFINEMENTS = 2;

/** Opens queue, threads and index of the matcher, until the app closes. */
function openXrd(
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
) {
  // A match uses all processors for seconds. Its separate queue and threads do not delay other calculations.
  const matching = openThreadPool({ isKeptWarm: true, taskSeconds: config.limits.matchSeconds });
  const indexing = openThreadPool({ size: 1, taskSeconds: INDEX_SECONDS });
  const refining = openThreadPool({
    isKeptWarm: true,
    size: REFINEMENTS,
    taskSeconds: LONGEST_REFINEMENT_SECONDS,
  });
  const handleOf = (pool: ThreadPool) =>
    pool.open<typeof xrdThread>(new URL('./xrd.thread.ts', import.meta.url));
  const repository = xrdRepository(database, phaseEntries.defaultFunctional);
  const refresher = patternIndexRefresher({
    databaseUrl: config.databaseUrl,
    refreshIndex: (request) => handleOf(indexing).run('refreshIndex', request),
    onCatalogueChange: catalogueCaches.onChange,
    log,
  });
  indexes.set('patterns', refresher);
  const queue = matchQueue({ db: database.db, log });
  metrics.push(xrdMetrics(database, refresher));
  // The server listens at once; the index is built in the background and is ready some seconds later.
  app.addHook('onListen', async () => refresher.start());
  app.addHook('preClose', async () => queue.close());
  app.addHook('onClose', async () => {
    refresher.close();
    await indexing.close();
    await matching.close();
    await refining.close();
  });
  return {
    patterns: patterns(handleOf(threads)),
    matches: matches({
      threads: { ...handleOf(matching), size: matching.size },
      refresher,
      repository,
      scale: () => phaseEntries.scale(),
      queue,
    }),
    refinements: refinements({ threads: handleOf(refining), repository, queue }),
    identifications: identifications({ threads: handleOf(refining), repository, refresher, queue }),
    references: references(repository, powderPatterns),
  };
}

// ── Prometheus metrics of the XRD matcher: matches of all processes, the index of this one ──

const STATES = ['waiting', 'indexing', 'running', 'refining'] as const;

const xrdMetrics =
  ({ db }: Pick<Database, 'db'>, refresher: Pick<PatternIndexRefresher, 'figures'>): MetricsSource =>
  async () => {
    const rows = await db
      .selectFrom('xrd_match')
      .select(['state', sql<number>`count(*)::int`.as('count')])
      .where('seen_at', '>', lapsed)
      .groupBy('state')
      .execute();
    const index = refresher.figures();
    const ofIndex = (name: string, help: string, value: number | undefined) => ({
      name,
      help,
      type: 'gauge' as const,
      samples: value === undefined ? [] : [{ value }],
    });
    return [
      {
        name: 'unitcell_xrd_matches',
        help: 'Matches and refinements that wait and run, in all processes.',
        type: 'gauge',
        samples: STATES.map((state) => ({
          labels: { state },
          value: rows.find((row) => row.state === state)?.count ?? 0,
        })),
      },
      ofIndex('unitcell_xrd_index_patterns', 'Patterns in the index of this process.', index?.patterns),
      ofIndex(
        'unitcell_xrd_index_age_seconds',
        'Since the index of this process changed.',
        index?.ageSeconds,
      ),
    ];
  };

// ── The routes ──

/** Thousands of points are serialised directly; a test checks them against the contract. */
const raw = (answer: object): RawJson => new RawJson(JSON.stringify(answer));

const measurementOf = (record: MeasurementRecord): NonNullable<ReceivedPattern['measurement']> => ({
  format: record.format,
  axis: record.axis,
  step: record.step,
  step_seconds: record.stepSeconds,
  anode: record.anode,
  k_alpha1: record.kAlpha1,
  k_alpha2: record.kAlpha2,
  k_alpha_ratio: record.kAlphaRatio,
  monochromator: record.monochromator,
  divergence_slit: record.divergenceSlit,
  is_slit_variable: record.isSlitVariable,
  radiation: record.radiation,
  wavelengths: record.wavelengths && [...record.wavelengths],
});

export function xrdFeature(app: FastifyInstance, services: Services): void {
  const xrd = openXrd(app, services);

  serveCall(app, xrdReceive, async ({ file, t, caller }) => {
    const { x, y, sigmas, notes, record } = await xrd.patterns.read(file.bytes, caller);
    return raw({
      ...done,
      x,
      y,
      sigmas,
      name: 'pristine',
      background_removed: false,
      file_name: file.name.slice(0, 200),
      warnings: notes.map(([key, parameters]) => t(key, parameters)),
      measurement: record && measurementOf(record),
    });
  });

  serveCall(app, xrdNorData, async ({ body }) => raw({ ...done, ...xrd.patterns.normalise(body.xrd_data) }));

  serveCall(app, xrdRemoveBg, async ({ body, caller }) =>
    raw({ ...done, ...(await xrd.patterns.removeBackground(body.xrd_data, body.isNormalize, caller)) }),
  );

  serveCall(app, xrdMatch, async ({ body, identity: { accountId }, caller: { signal }, t }) =>
    raw(await xrd.matches.match(body, { accountId, t, signal })),
  );

  serveCall(app, xrdExplain, async ({ body, identity: { accountId }, caller: { signal }, t }) =>
    raw(await xrd.matches.explain(body, { accountId, t, signal })),
  );

  serveCall(app, xrdRefine, async ({ body, identity: { accountId }, caller: { signal }, t }) =>
    raw(await xrd.refinements.refine(body, { accountId, t, signal })),
  );

  serveCall(app, xrdIdentify, async ({ body, identity: { accountId }, caller: { signal }, t }) =>
    raw(await xrd.identifications.identify(body, { accountId, t, signal })),
  );

  serveCall(app, xrdProgress, async ({ body, identity, t }) =>
    xrd.matches.progress(identity.accountId, body.match_id, t),
  );

  serveCall(app, xrdCancel, async ({ body, identity, t }) => {
    const cancelled = await xrd.matches.cancel(identity.accountId, body.match_id);
    return { ...done, message: t(cancelled ? 'xrd.cancelled' : 'xrd.not-running'), cancelled };
  });

  serveCall(app, xrdGet, async ({ body, caller }) => raw(await xrd.references(body, caller)));
}
