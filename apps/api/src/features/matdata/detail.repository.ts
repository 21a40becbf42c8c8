/** Everything stored of one material, in one round trip: only SQL. */
import type { InferResult, NotNull, RawBuilder } from 'kysely';
import { jsonArrayFrom, jsonBuildObject, jsonObjectFrom } from 'kysely/helpers/postgres';
import { storedMaterials } from '../../catalogue/stored-material.ts';
import type { Database, Db } from '../../infra/database.ts';
import { currentStructId, lastRelease, prepared } from '../../infra/sql.ts';

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
      /** The release of the catalogue; null before the energies shown are in one. */
      jsonObjectFrom(
        selectFrom('material_energy as scale')
          .innerJoin('release as own', 'own.id', 'scale.release_id')
          .innerJoin('release as last', (join) => join.on('last.id', '=', lastRelease))
          .whereRef('scale.struct_id', '=', 'material.struct_id')
          .whereRef('scale.functional', '=', 'material.functional')
          .where('own.finished_at', 'is not', null)
          .select(['last.id', 'last.finished_at as date'])
          .$narrowType<{ date: NotNull }>(),
      ).as('release'),
    )
    /** What a model predicts of it; null where none says anything. */
    .select(({ selectFrom }) =>
      jsonObjectFrom(
        selectFrom('material_prediction as prediction')
          .whereRef('prediction.struct_id', '=', 'material.struct_id')
          .where('prediction.values', 'is not', null)
          .select(['prediction.model', 'prediction.values'])
          .$narrowType<{ values: NotNull }>(),
      ).as('prediction'),
    )
    /** What each source says; empty where there is one. */
    .select(({ selectFrom }) =>
      jsonArrayFrom(
        selectFrom('material_record as record')
          .whereRef('record.struct_id', '=', 'material.struct_id')
          .select(['record.id', 'record.own_id', 'record.created_at as imported_at', 'record.figures'])
          .select(({ ref }) =>
            jsonBuildObject({
              name: ref('record.source_name'),
              id: ref('record.source_id'),
              licence: ref('record.source_licence'),
              url: ref('record.source_url'),
            }).as('source'),
          )
          .orderBy('record.id'),
      ).as('records'),
    );

export type StoredDetail = Readonly<InferResult<ReturnType<typeof storedDetails>>[number]>;
export type DetailRepository = ReturnType<typeof detailRepository>;

export function detailRepository({ readDb, readPool }: Pick<Database, 'readDb' | 'readPool'>) {
  const byId = prepared('material-detail', (structId: RawBuilder<number>) =>
    storedDetails(readDb).where('material.struct_id', '=', currentStructId(structId)),
  );
  return {
    byStructId: async (structId: number): Promise<StoredDetail | null> =>
      (await byId(readPool, structId))[0] ?? null,
  };
}
