/**
 * Derives the stored pattern of every material anew from its cell. Page by page, each in a transaction of its own: it
 * can be stopped and started again at any time, and rows whose bytes stay the same are not touched.
 */
import type { CompactCell } from '@unitcell/crystal';
import { ANNOUNCE_CATALOGUE_CHANGE } from '../../../plugins/catalogue-cache.ts';
import { type Database, inTransaction } from '../../../plugins/database.ts';
import type { ThreadPool } from '../../../threads/thread-pool.ts';

/** Materials read and written at a time: a second or two of work. */
const PAGE = 400;

export interface RebuildReport {
  readonly materials: number;
  /** Patterns that were new or different. */
  readonly changed: number;
}

interface StoredCell {
  readonly struct_id: number;
  readonly primitive: CompactCell;
}

export function rebuildPatterns({ pool }: Pick<Database, 'pool'>, threads: ThreadPool) {
  async function pageAfter(structId: number): Promise<StoredCell[]> {
    const { rows } = await pool.query<StoredCell>(
      'SELECT struct_id, primitive FROM material_structure WHERE struct_id > $1 ORDER BY struct_id LIMIT $2',
      [structId, PAGE],
    );
    return rows;
  }

  /** The work of a page, shared out over the threads. */
  async function patternsOf(page: readonly StoredCell[]): Promise<Uint8Array[]> {
    const share = Math.ceil(page.length / threads.size);
    const parts = Array.from({ length: threads.size }, (_, i) => page.slice(i * share, (i + 1) * share));
    const packed = await Promise.all(
      parts.map((part) =>
        threads.run<Uint8Array[]>(
          'packCells',
          part.map(({ primitive }) => primitive),
        ),
      ),
    );
    return packed.flat();
  }

  const store = (page: readonly StoredCell[], patterns: readonly Uint8Array[]): Promise<number> =>
    inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        `INSERT INTO powder_pattern (struct_id, pattern)
         SELECT struct_id, pattern FROM unnest($1::int[], $2::bytea[]) AS made (struct_id, pattern)
         WHERE EXISTS (SELECT FROM material WHERE material.struct_id = made.struct_id)
         ON CONFLICT (struct_id) DO UPDATE SET pattern = excluded.pattern
           WHERE powder_pattern.pattern IS DISTINCT FROM excluded.pattern`,
        [page.map(({ struct_id }) => struct_id), patterns.map((pattern) => Buffer.from(pattern))],
      );
      if (rowCount) await client.query(ANNOUNCE_CATALOGUE_CHANGE);
      return rowCount ?? 0;
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
