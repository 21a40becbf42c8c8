/** All stored data of one material in one query. */
import { type InferResult, type NotNull, sql } from 'kysely';
import { jsonArrayFrom, jsonBuildObject, jsonObjectFrom } from 'kysely/helpers/postgres';
import { storedWithoutPhonons } from '../../catalogue/stored-material.ts';
import type { Db } from '../../infra/database.ts';
import { lastRelease } from '../../infra/sql.ts';

export const storedDetails = (db: Db) =>
  storedWithoutPhonons(db)
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
      /** Functionals for which the material has phonons. */
      sql<
        readonly string[]
      >`(SELECT coalesce(array_agg(functional ORDER BY functional), '{}') FROM ${selectFrom(
        'phonon_spectrum as own',
      )
        .whereRef('own.struct_id', '=', 'material.struct_id')
        .select('own.functional')} AS own)`.as('phononFunctionals'),
    )
    .select(({ selectFrom }) =>
      /** The release of the catalogue; null if the displayed energies are not in a release yet. */
      jsonObjectFrom(
        selectFrom('material_energy as scale')
          .innerJoin('release as own', 'own.id', 'scale.release_id')
          .innerJoin('release as last', (join) => join.on('last.id', '=', lastRelease))
          .whereRef('scale.struct_id', '=', 'material.struct_id')
          .whereRef('scale.functional', '=', 'material.functional')
          .where('own.finished_at', 'is not', null)
          .select('last.id')
          .select(sql<string>`to_char(last.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`.as('date')),
      ).as('release'),
    )
    /** The model's prediction; null if there is none. */
    .select(({ selectFrom }) =>
      jsonObjectFrom(
        selectFrom('material_prediction as prediction')
          .whereRef('prediction.struct_id', '=', 'material.struct_id')
          .where('prediction.values', 'is not', null)
          .select(['prediction.model', 'prediction.values'])
          .$narrowType<{ values: NotNull }>(),
      ).as('prediction'),
    )
    /** Values of the interatomic potential; null if it has not run or refused the material at once. */
    .select(({ selectFrom }) =>
      jsonObjectFrom(
        selectFrom('potential_prediction as potential')
          .whereRef('potential.struct_id', '=', 'material.struct_id')
          .where('potential.model', 'is not', null)
          .where('potential.max_force', 'is not', null)
          .select(['model', 'max_force', 'volume_change', 'bulk_modulus', 'shear_modulus'])
          .select(['debye_temperature', 'lowest_frequency', 'heat_capacity', 'details', 'refusal'])
          .$narrowType<{ model: NotNull; max_force: NotNull }>(),
      ).as('potential'),
    )
    /** The values of each source; empty if there is only one. */
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
