/** Everything stored about a material, as the detail page and the export read it. */
import { FIELD_NAMES, type FieldName, fields, type Scalars, type Tensors } from '@unitcell/material';
import { type AliasedExpression, type Expression, expressionBuilder, type InferResult, sql } from 'kysely';
import { jsonArrayFrom, jsonBuildObject, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { DB } from '../generated/tables/tables.ts';
import type { Db } from '../infra/database.ts';

/** Every field with the type from the table of fields. */
type ScalarSelection = { [Name in FieldName]: AliasedExpression<Scalars[Name], Name> }[FieldName];

const build = expressionBuilder<DB, 'material'>();
const SCALARS = FIELD_NAMES.map(
  (name) => build.ref(`material.${fields[name].column}`).as(name) as ScalarSelection,
);

/** One object per functional, ordered by name. */
const byFunctional = <T>(rows: Expression<{ functional: string; data: T }>) =>
  sql<readonly T[]>`(SELECT coalesce(jsonb_agg(data ORDER BY functional), '[]') FROM ${rows} AS own)`;

/**
 * A query for the data of stored materials except their phonons, which are large. Scalars refer to the primitive
 * cell, properties to the cell `given`.
 */
export const storedWithoutPhonons = (db: Db) =>
  db
    .selectFrom('material')
    .innerJoin('material_structure', 'material_structure.struct_id', 'material.struct_id')
    .select(SCALARS)
    .select(['material.provenance', 'material_structure.given'])
    .select(({ selectFrom }) => {
      const bands = selectFrom('band_structure as own').whereRef('own.struct_id', '=', 'material.struct_id');
      const dos = selectFrom('density_of_states as own').whereRef('own.struct_id', '=', 'material.struct_id');
      const elastic = selectFrom('elastic_tensor as own').whereRef(
        'own.struct_id',
        '=',
        'material.struct_id',
      );
      const piezo = selectFrom('piezoelectric_tensor as own').whereRef(
        'own.struct_id',
        '=',
        'material.struct_id',
      );
      const dielectric = selectFrom('dielectric_tensor as own')
        .whereRef('own.struct_id', '=', 'material.struct_id')
        .select(({ ref }) =>
          sql<NonNullable<Tensors['dielectric']>>`jsonb_strip_nulls(${jsonBuildObject({
            electronic: ref('own.electronic'),
            total: ref('own.total'),
          })}::jsonb)`.as('dielectric'),
        );
      return [
        /**
         * The shown scale is first, then the other scales by name. Energies in eV/atom, decomposition in
         * fractions of atoms.
         */
        jsonArrayFrom(
          selectFrom('material_energy as own')
            .whereRef('own.struct_id', '=', 'material.struct_id')
            .select(['own.functional', 'own.energy_per_atom as energyPerAtom', 'own.source'])
            .select(['own.given_formation_energy as givenFormationEnergy'])
            .select(['own.formation_energy_per_atom as formationEnergyPerAtom'])
            .select(['own.energy_above_hull as energyAboveHull', 'own.release_id as releaseId'])
            .select(['own.oxygen_potential_min as oxygenPotentialMin'])
            .select(['own.oxygen_potential_max as oxygenPotentialMax'])
            .select(['own.decomposition_energy_in_water as decompositionEnergyInWater'])
            .select(({ fn, ref }) =>
              fn.coalesce(ref('own.decomposition'), sql<never[]>`'[]'`).as('decomposition'),
            )
            .orderBy(({ eb, ref }) => eb('own.functional', '=', ref('material.functional')), 'desc')
            .orderBy('own.functional'),
        ).as('energies'),
        byFunctional(bands.select(['own.functional', 'own.data'])).as('bands'),
        byFunctional(dos.select(['own.functional', 'own.data'])).as('dos'),
        jsonBuildObject({
          frame: sql<'given'>`'given'`,
          elastic: elastic.select('own.tensor').$asScalar().$castTo<Tensors['elastic']>(),
          dielectric: dielectric.$asScalar().$castTo<Tensors['dielectric']>(),
          piezoelectric: piezo.select('own.total').$asScalar().$castTo<Tensors['piezoelectric']>(),
        }).as('tensors'),
        jsonObjectFrom(
          selectFrom('topology as own')
            .whereRef('own.struct_id', '=', 'material.struct_id')
            .select(['own.labels', 'own.rows']),
        ).as('topology'),
      ];
    });

/** A query for the data of stored materials, phonons included. */
export const storedMaterials = (db: Db) =>
  storedWithoutPhonons(db).select(({ selectFrom }) =>
    byFunctional(
      selectFrom('phonon_spectrum as own')
        .whereRef('own.struct_id', '=', 'material.struct_id')
        .select(['own.functional', 'own.data']),
    ).as('phonons'),
  );

export type StoredMaterial = Readonly<InferResult<ReturnType<typeof storedMaterials>>[number]>;
/** One energy scale of a material. */
export type StoredEnergy = StoredMaterial['energies'][number];
