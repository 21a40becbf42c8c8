/**
 * Derives the stored pattern of every material anew from its cell. Page by page, each in a transaction of its own: it
 * can be stopped and started again at any time, and rows whose bytes stay the same are not touched.
 */
import type { Selectable } from 'kysely';
import type { DB } from '../../generated/tables/tables.ts';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database } from '../../infra/database.ts';
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

export function rebuildPatterns({ db }: Pick<Database, 'db'>, threads: CatalogueThreads) {
  const pageAfter = (structId: number): Promise<StoredCell[]> =>
    db
      .selectFrom('material_structure')
      .select(['struct_id', 'given'])
      .where('struct_id', '>', structId)
      .orderBy('struct_id')
      .limit(PAGE)
      .execute();

  /** The work of a page, shared out over the threads. */
  async function patternsOf(page: readonly StoredCell[]): Promise<Uint8Array[]> {
    const share = Math.ceil(page.length / threads.size);
    const parts = Array.from({ length: threads.size }, (_, i) => page.slice(i * share, (i + 1) * share));
    const packed = await Promise.all(
      parts.map((part) =>
        threads.run(
          'packCells',
          part.map(({ given }) => given),
        ),
      ),
    );
    return packed.flat();
  }

  /** @returns how many are new or different */
  const store = (page: readonly StoredCell[], patterns: readonly Uint8Array[]): Promise<number> =>
    db.transaction().execute(async (tx) => {
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
    });

  return async function rebuild(
    onProgress: (done: number) => void = () => undefined,
  ): Promise<RebuildReport> {
    let materials = 0;
    let changed = 0;
    for (let page = await pageAfter(-1); page.length > 0; page = await pageAfter(page.at(-1)!.struct_id)) {
      changed += await store(page, await patternsOf(page));
      materials += page.length;
      onProgress(materials);
    }
    return { materials, changed };
  };
}
