/** Counters and contents of the public pages: only SQL. */
import { sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { json, now } from '../../infra/sql.ts';

export interface Counters {
  readonly compounds: number;
  readonly bandStructures: number;
  /** Chemical systems of two to four elements whose hull can be drawn. */
  readonly phaseDiagrams: number;
}

export type AboutRepository = ReturnType<typeof aboutRepository>;

export function aboutRepository({ readDb, db }: Pick<Database, 'readDb' | 'db'>) {
  return {
    async counters(): Promise<Counters> {
      return readDb
        .selectNoFrom(({ selectFrom }) => [
          selectFrom('material')
            .select(sql<number>`count(*)::int`.as('n'))
            .$asScalar()
            .$notNull()
            .as('compounds'),
          selectFrom('band_structure')
            .select(sql<number>`count(*)::int`.as('n'))
            .$asScalar()
            .$notNull()
            .as('bandStructures'),
          selectFrom('material')
            .select(sql<number>`count(DISTINCT chemical_system)::int`.as('n'))
            .where((is) => is.between('nelements', 2, 4))
            .where('energy_above_hull', 'is not', null)
            .$asScalar()
            .$notNull()
            .as('phaseDiagrams'),
        ])
        .executeTakeFirstOrThrow();
    },

    /** The contents of one language by slug. */
    async contents(locale: string): Promise<Map<string, unknown>> {
      const rows = await readDb
        .selectFrom('content')
        .select(['slug', 'body'])
        .where('locale', '=', locale)
        .execute();
      return new Map(rows.map((row) => [row.slug, row.body]));
    },

    async saveContent(slug: string, locale: string, body: unknown): Promise<void> {
      await db
        .insertInto('content')
        .values({ slug, locale, body: json(body) })
        .onConflict((conflict) =>
          conflict.columns(['slug', 'locale']).doUpdateSet({ body: json(body), updated_at: now }),
        )
        .execute();
    },
  };
}
