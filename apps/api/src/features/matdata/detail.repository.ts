/** Everything stored of one material, in one round trip: only SQL. */
import type { InferResult, NotNull } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { storedMaterials } from '../../catalogue/stored-material.ts';
import type { Database, Db } from '../../infra/database.ts';
import { prepared } from '../../infra/sql.ts';

const storedDetails = (db: Db) =>
  storedMaterials(db)
    .select([
      'is_given_kept as isGivenKept',
      'rotation',
      'primitive',
      'conventional',
      'wyckoffs',
      'symprec',
      'stated',
    ])
    .select(({ selectFrom }) =>
      /** The rebuild the energies shown come from. */
      jsonObjectFrom(
        selectFrom('material_energy as scale')
          .innerJoin('release', 'release.id', 'scale.release_id')
          .whereRef('scale.struct_id', '=', 'material.struct_id')
          .whereRef('scale.functional', '=', 'material.functional')
          .where('release.finished_at', 'is not', null)
          .select(['release.id', 'release.finished_at as date'])
          .$narrowType<{ date: NotNull }>(),
      ).as('release'),
    );

export type StoredDetail = Readonly<InferResult<ReturnType<typeof storedDetails>>[number]>;
export type DetailRepository = ReturnType<typeof detailRepository>;

export function detailRepository({ readDb, readPool }: Pick<Database, 'readDb' | 'readPool'>) {
  const byId = prepared('material-detail', storedDetails(readDb).where('material.struct_id', '=', 0));
  return {
    byStructId: async (structId: number): Promise<StoredDetail | null> =>
      (await byId(readPool, [structId]))[0] ?? null,
  };
}
