/**
 * Derives the stored pattern of every material anew from its cell. Page by page, each in a transaction of its own: it
 * can be stopped and started again at any time, and rows whose bytes stay the same are not touched.
 */
import type { Selectable } from 'kysely';
import type { DB } from '../../generated/tables/tables.ts';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf } from '../../infra/sql.ts';
import type { CatalogueThreads } from '../open-catalogue-threads.ts';

/** Materials read and written at a time: a second or two of work. */
const PAGE = 400;

export interface RebuildReport {
  readonly materials: number;
  /** Patterns that were new or different. */
  readonly changed: number;
}

type StoredCell = Pick<Selectable<DB['material_structure']>, 'struct_id' | 'given'>;

/** The work on a page, shared out over the threads; the results stand in the order of the page. */
export async function shareOut<T, R>(
  { size }: Pick<CatalogueThreads, 'size'>,
  page: readonly T[],
  work: (part: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const share = Math.ceil(page.length / size);
  const parts = Array.from({ length: size }, (_, i) => page.slice(i * share, (i + 1) * share));
  return (await Promise.all(parts.map(work))).flat();
}

/**
 * Stores the patterns of cells in a transaction.
 * @returns how many are new or different
 */
export async function storePatterns(
  tx: Db,
  threads: CatalogueThreads,
  page: readonly StoredCell[],
): Promise<number> {
  const patterns = await shareOut(threads, page, (part) =>
    threads.run(
      'packCells',
      part.map(({ given }) => given),
    ),
  );
  // A material that was deleted meanwhile gets no pattern; others cannot be deleted until this is stored.
  const there = await tx
    .selectFrom('material')
    .select('struct_id')
    .where(
      'struct_id',
      '=',
      anyOf(
        page.map(({ struct_id }) => struct_id),
        'int',
      ),
    )
    .forKeyShare()
    .execute();
  const ids = new Set(there.map(({ struct_id }) => struct_id));
  const rows = page.flatMap(({ struct_id }, i) =>
    ids.has(struct_id) ? [{ struct_id, pattern: Buffer.from(patterns[i]!) }] : [],
  );
  if (rows.length === 0) return 0;
  const stored = await tx
    .insertInto('powder_pattern')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('struct_id')
        .doUpdateSet(({ ref }) => ({ pattern: ref('excluded.pattern') }))
        .whereRef('powder_pattern.pattern', 'is distinct from', 'excluded.pattern'),
    )
    .returning('powder_pattern.struct_id')
    .execute();
  if (stored.length > 0) await announceCatalogueChange(tx);
  return stored.length;
}

export function rebuildPatterns({ db }: Pick<Database, 'db'>, threads: CatalogueThreads) {
  const pageAfter = (structId: number): Promise<StoredCell[]> =>
    db
      .selectFrom('material_structure')
      .select(['struct_id', 'given'])
      .where('struct_id', '>', structId)
      .orderBy('struct_id')
      .limit(PAGE)
      .execute();

  return async function rebuild(
    onProgress: (done: number) => void = () => undefined,
  ): Promise<RebuildReport> {
    let materials = 0;
    let changed = 0;
    for (let page = await pageAfter(-1); page.length > 0; page = await pageAfter(page.at(-1)!.struct_id)) {
      const read = page;
      changed += await db.transaction().execute((tx) => storePatterns(tx, threads, read));
      materials += page.length;
      onProgress(materials);
    }
    return { materials, changed };
  };
}
