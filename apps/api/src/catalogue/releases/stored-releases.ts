/** Stored releases: the changes of every import and rebuild. */
import type { Db } from '../../infra/database.ts';
import type { HullChanges } from './hull-changes.ts';
import type { ReleaseReport } from './import-release.ts';

/** Import: the full report. Rebuild: the hull changes. */
export type ReleaseSummary = Partial<ReleaseReport> & { readonly changes?: HullChanges };

const LISTED = 100;

const stored = (db: Db) =>
  db
    .selectFrom('release')
    .select(['id', 'kind', 'summary', 'started_at as startedAt', 'finished_at as finishedAt'])
    .$narrowType<{ summary: ReleaseSummary }>();

/** The last hundred releases, newest first. */
export const lastReleases = (db: Db) => stored(db).orderBy('id', 'desc').limit(LISTED).execute();

export const releaseById = (db: Db, id: number) => stored(db).where('id', '=', id).executeTakeFirst();

export type StoredRelease = Awaited<ReturnType<typeof lastReleases>>[number];

/** Number of materials an import added; null for a rebuild. */
export const acceptedOf = ({ files }: ReleaseSummary): number | null =>
  files?.reduce((sum, file) => sum + file.accepted, 0) ?? null;

/** Hull changes by energy scale. */
export const hullsOf = ({ hulls, changes }: ReleaseSummary): readonly HullChanges[] =>
  hulls ?? (changes ? [changes] : []);
