/** Imports into the catalogue, for the operator. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { operateImports, operateRelease } from '@unitcell/contract/operate';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import {
  acceptedOf,
  hullsOf,
  lastReleases,
  releaseById,
  type StoredRelease,
} from '../../catalogue/releases/stored-releases.ts';
import { serveCall } from '../../http/serve-call.ts';
import type { Database, Db } from '../../infra/database.ts';
import { workUnderWay } from '../../infra/work-rows.ts';
import { AppError } from '../../messages/app-error.ts';
import { releases } from '../releases/releases.feature.ts';

const FILES = 30;
const count = sql<number>`count(*)::int`;

/** Chemical systems whose hulls or windows must be recalculated. */
async function systemsWaiting(db: Db): Promise<{ systems: number; windows: number }> {
  return db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('dirty_system').select(count.as('n')).$asScalar().$notNull().as('systems'),
      selectFrom('dirty_window').select(count.as('n')).$asScalar().$notNull().as('windows'),
    ])
    .executeTakeFirstOrThrow();
}

/** The latest imported files, newest first. */
const filesRead = (db: Db) =>
  db
    .selectFrom('import_run')
    .select(['path', 'accepted', 'refused', 'duplicates', 'started_at as startedAt'])
    .select('finished_at as finishedAt')
    .orderBy('id', 'desc')
    .limit(FILES)
    .execute();

/** Number of reports of refused imports shown, and the largest report that is read for its reasons. */
const REPORTS = 5;
const REPORT_BYTES = 32 * 1024 * 1024;
/** Number of changes shown per energy scale, the largest changes first. */
const CHANGES = 20;

const reasons = z.object({ surprises: z.array(z.string()).default([]) });

const toRelease = ({ id, kind, startedAt, finishedAt, summary }: StoredRelease) => ({
  id,
  kind,
  started_at: startedAt.toISOString(),
  finished_at: finishedAt?.toISOString() ?? null,
  accepted: acceptedOf(summary),
});

export function importsRoutes(app: FastifyInstance, { db }: Pick<Database, 'db'>, home: string): void {
  const reports = join(home, 'reports');

  /** Imports that a gate refused, newest first. The command wrote a report for each. */
  async function refusedImports() {
    const names = await readdir(reports).catch(() => []);
    const timed = names
      .flatMap((name) => {
        const [, at] = /^import-refused-(\d{13})\.json$/.exec(name) ?? [];
        return at === undefined ? [] : [{ name, at: Number(at) }];
      })
      .sort((a, b) => b.at - a.at)
      .slice(0, REPORTS);
    return Promise.all(
      timed.map(async ({ name, at }) => {
        const path = join(reports, name);
        let read: unknown = null;
        try {
          if ((await stat(path)).size <= REPORT_BYTES) read = JSON.parse(await readFile(path, 'utf8'));
        } catch {
          // The command was stopped while it wrote the report, or the report was deleted meanwhile.
        }
        return {
          file: name,
          at: new Date(at).toISOString(),
          surprises: (reasons.safeParse(read).data?.surprises ?? []).slice(0, CHANGES),
        };
      }),
    );
  }

  serveCall(app, operateImports, async () => {
    const [underWay, waiting, files, stored, refused, dumps] = await Promise.all([
      workUnderWay(db),
      systemsWaiting(db),
      filesRead(db),
      lastReleases(db),
      refusedImports(),
      releases(home).list(),
    ]);
    return {
      under_way: underWay.map(({ startedAt, secondsAgo, ...work }) => ({
        ...work,
        started_at: startedAt.toISOString(),
        seconds_ago: secondsAgo,
      })),
      waiting,
      files: files.map(({ startedAt, finishedAt, ...file }) => ({
        ...file,
        started_at: startedAt.toISOString(),
        finished_at: finishedAt?.toISOString() ?? null,
      })),
      releases: stored.map(toRelease),
      refused,
      dumps: dumps.map(({ release, published_at, materials, files: parts }) => ({
        release,
        published_at,
        materials,
        bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      })),
    };
  });

  /** The report of a release. */
  serveCall(app, operateRelease, async ({ body: { id } }) => {
    const found = await releaseById(db, id);
    if (!found) throw new AppError('operate.not-found');
    return {
      release: toRelease(found),
      files: (found.summary.files ?? []).map(({ path, accepted, refused, duplicates }) => ({
        path,
        accepted,
        refused,
        duplicates,
      })),
      hulls: hullsOf(found.summary).map((hull) => ({
        functional: hull.functional,
        compared: hull.compared,
        changed: hull.changed,
        became_stable: hull.becameStable,
        ceased_to_be_stable: hull.ceasedToBeStable,
        largest: hull.largest
          .slice(0, CHANGES)
          .map(({ structId, formula, before, after }) => ({ struct_id: structId, formula, before, after })),
      })),
    };
  });
}
