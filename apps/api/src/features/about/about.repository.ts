/** Counters and contents of the public pages: only SQL. */
import type { Database } from '../../plugins/database.ts';

export interface Counters {
  readonly compounds: number;
  readonly bandStructures: number;
  /** Chemical systems of two to four elements whose hull can be drawn. */
  readonly phaseDiagrams: number;
}

export type AboutRepository = ReturnType<typeof aboutRepository>;

export function aboutRepository({ readPool, pool }: Pick<Database, 'readPool' | 'pool'>) {
  return {
    async counters(): Promise<Counters> {
      const { rows } = await readPool.query<Counters>(
        `SELECT (SELECT count(*)::int FROM material) AS compounds,
                (SELECT count(*)::int FROM band_structure) AS "bandStructures",
                (SELECT count(DISTINCT chemical_system)::int FROM material
                 WHERE nelements BETWEEN 2 AND 4 AND energy_above_hull IS NOT NULL) AS "phaseDiagrams"`,
      );
      return rows[0]!;
    },

    /** The contents of one language by slug. */
    async contents(locale: string): Promise<Map<string, unknown>> {
      const { rows } = await readPool.query<{ slug: string; body: unknown }>(
        'SELECT slug, body FROM content WHERE locale = $1',
        [locale],
      );
      return new Map(rows.map((row) => [row.slug, row.body]));
    },

    async saveContent(slug: string, locale: string, body: unknown): Promise<void> {
      await pool.query(
        `INSERT INTO content (slug, locale, body) VALUES ($1, $2, $3)
         ON CONFLICT (slug, locale) DO UPDATE SET body = excluded.body, updated_at = now()`,
        [slug, locale, JSON.stringify(body)],
      );
    },
  };
}
