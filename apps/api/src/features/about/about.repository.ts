/** Counters and contents of the public pages: only SQL. */
import { sql } from 'kysely';
import type { Database, Db } from '../../infra/database.ts';
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

    /** All contents in both languages, with when they were changed. */
    async stored() {
      return db
        .selectFrom('content')
        .select(['slug', 'locale', 'body', 'updated_at as updatedAt'])
        .orderBy('slug')
        .orderBy('locale')
        .execute();
    },

    /** Writes a content unless it was changed after `basedOn` (null: unless there is one). @returns when; null: it was */
    async replaceContent(
      slug: string,
      locale: string,
      body: unknown,
      basedOn: Date | null,
      on: Db = db,
    ): Promise<Date | null> {
      const changed = on
        .updateTable('content')
        .set({ body: json(body), updated_at: now })
        .where('slug', '=', slug)
        .where('locale', '=', locale)
        .where('updated_at', '=', basedOn)
        .returning('updated_at as at');
      const made = on
        .insertInto('content')
        .values({ slug, locale, body: json(body) })
        .onConflict((conflict) => conflict.columns(['slug', 'locale']).doNothing())
        .returning('updated_at as at');
      const written = basedOn === null ? await made.executeTakeFirst() : await changed.executeTakeFirst();
      return written?.at ?? null;
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
