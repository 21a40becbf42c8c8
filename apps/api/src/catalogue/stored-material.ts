/** Everything stored of a material, as the detail page and the export read it: the SELECT list and the row it gives. */
import type { CompactCell } from '@unitcell/crystal';
import { type Properties, type Scalars, selectList } from '@unitcell/material';

/** One energy scale of a material. Energies in eV/atom. */
export interface StoredEnergy {
  readonly functional: string;
  readonly energyPerAtom: number | null;
  readonly givenFormationEnergy: number | null;
  readonly formationEnergyPerAtom: number | null;
  readonly energyAboveHull: number | null;
  /** Shares of atoms. */
  readonly decomposition: readonly { structId: number; formula: string; fraction: number }[];
  readonly releaseId: number | null;
  readonly source: Readonly<Record<string, unknown>>;
}

/** Scalars are of the primitive cell, properties of the cell `given`. */
export interface StoredMaterial extends Scalars, Properties<'given'> {
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly given: CompactCell;
  /** The scale the material is shown on first, the others by name. */
  readonly energies: readonly StoredEnergy[];
}

/** The rows of a table that belong to the material. */
const from = (table: string): string => `FROM ${table} WHERE ${table}.struct_id = material.struct_id`;

/** Columns of a query FROM material JOIN material_structure; its rows are `StoredMaterial`. */
export const STORED_MATERIAL = `${selectList()}, material.provenance, material_structure.given,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('functional', functional, 'energyPerAtom', energy_per_atom,
       'givenFormationEnergy', given_formation_energy, 'formationEnergyPerAtom', formation_energy_per_atom,
       'energyAboveHull', energy_above_hull, 'decomposition', coalesce(decomposition, '[]'), 'releaseId', release_id,
       'source', source) ORDER BY functional = material.functional DESC, functional), '[]')
     ${from('material_energy')}) AS energies,
  (SELECT coalesce(jsonb_agg(data ORDER BY functional), '[]') ${from('band_structure')}) AS bands,
  (SELECT coalesce(jsonb_agg(data ORDER BY functional), '[]') ${from('density_of_states')}) AS dos,
  jsonb_build_object('frame', 'given',
    'elastic', (SELECT tensor ${from('elastic_tensor')}),
    'dielectric', (SELECT jsonb_strip_nulls(jsonb_build_object('electronic', electronic, 'total', total))
       ${from('dielectric_tensor')}),
    'piezoelectric', (SELECT total ${from('piezoelectric_tensor')})) AS tensors,
  (SELECT jsonb_build_object('labels', labels, 'rows', rows) ${from('topology')}) AS topology`;
