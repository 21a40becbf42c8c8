/** What leads on from a material, in one round trip. */
import { parseStructId } from '@unitcell/contract/common';
import { WORKING_IONS, type WorkingIon } from '@unitcell/contract/ecwindow';
import {
  FARTHEST_SIMILAR,
  MOST_RELATED,
  type RelatedMaterial,
  type RelatedMaterials,
} from '@unitcell/contract/matdata';
import { arrangementDistance } from '@unitcell/crystal';
import { readArrangement } from '../../catalogue/renew/renew-cells.ts';
import type { Database } from '../../infra/database.ts';
import { AppError } from '../../messages/app-error.ts';

interface Candidate extends RelatedMaterial {
  readonly prototype: string;
  /** Hexadecimal. */
  readonly vector: string;
}

interface StoredRelations
  extends Pick<RelatedMaterials, 'functional' | 'windows' | 'polymorphs' | 'same_system' | 'prototype'> {
  readonly vector: string | null;
  /** Of its prototype. */
  readonly kin: readonly Candidate[];
  readonly kinCount: number;
  /** Of other prototypes: all that can be as near as asked for, nearest by the landmarks first. */
  readonly near: readonly Candidate[];
}

/** Vectors compared of one material: half a kilobyte each. */
const MOST_COMPARED = 600;

const ROW = `'struct_id', struct_id, 'formula', formula, 'space_group', space_group, 'e_above_hull', above_hull`;
/** Materials of the condition on `other`, nearest to the hull first, with their true number. */
const listOf = (condition: string): string => `(
  SELECT jsonb_build_object('count', coalesce(max(total), 0), 'rows', coalesce(jsonb_agg(jsonb_build_object(${ROW}) ORDER BY above_hull NULLS LAST, struct_id), '[]'))
  FROM (
    SELECT other.struct_id, other.formula, other.space_group, energy.energy_above_hull AS above_hull, count(*) OVER () AS total
    FROM material AS other
      LEFT JOIN material_energy AS energy ON energy.struct_id = other.struct_id AND energy.functional = own.functional
    WHERE other.struct_id <> own.struct_id AND ${condition}
    ORDER BY above_hull NULLS LAST, other.struct_id LIMIT $2
  ) AS listed)`;
/** Materials of the condition on `arrangement`, with their vectors. */
const candidatesOf = (condition: string, order: string): string => `(
  SELECT coalesce(jsonb_agg(jsonb_build_object(${ROW}, 'prototype', prototype, 'vector', encode(vector, 'hex'))), '[]')
  FROM (
    SELECT arrangement.struct_id, prototype, vector, formula, space_group, energy.energy_above_hull AS above_hull
    FROM (
      SELECT * FROM structure_arrangement AS other
      WHERE other.struct_id <> own.struct_id AND ${condition}
      ORDER BY ${order} LIMIT ${MOST_COMPARED}
    ) AS arrangement
      JOIN material USING (struct_id)
      LEFT JOIN material_energy AS energy ON energy.struct_id = arrangement.struct_id AND energy.functional = own.functional
  ) AS found)`;
/** No farther apart than the landmarks say, which bound the distance from below. */
const LOWER_BOUND =
  'greatest(abs(other.to_close - own.to_close), abs(other.to_diamond - own.to_diamond), abs(other.to_salt - own.to_salt))';

const RELATED_SQL = `
  SELECT functional, prototype, encode(vector, 'hex') AS vector,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('working_ion', working_ion, 'reduction_onset', reduction_onset, 'oxidation_onset', oxidation_onset)), '[]')
       FROM electrochemical_window AS made WHERE made.struct_id = own.struct_id AND made.functional = own.functional) AS windows,
    ${listOf('other.formula_reduced = own.formula_reduced')} AS polymorphs,
    ${listOf('other.chemical_system = own.chemical_system AND other.formula_reduced <> own.formula_reduced')} AS same_system,
    (SELECT count(*)::int FROM structure_arrangement AS other
       WHERE other.struct_id <> own.struct_id AND other.prototype = own.prototype) AS "kinCount",
    ${candidatesOf('other.prototype = own.prototype', LOWER_BOUND)} AS kin,
    ${candidatesOf(
      `other.prototype <> own.prototype
        AND other.to_close BETWEEN own.to_close - $3 AND own.to_close + $3
        AND other.to_diamond BETWEEN own.to_diamond - $3 AND own.to_diamond + $3
        AND other.to_salt BETWEEN own.to_salt - $3 AND own.to_salt + $3`,
      LOWER_BOUND,
    )} AS near
  FROM (
    SELECT struct_id, functional, formula_reduced, chemical_system, prototype, vector, to_close, to_diamond, to_salt
    FROM material LEFT JOIN structure_arrangement USING (struct_id) WHERE struct_id = current_struct_id($1)
  ) AS own`;

type RelatedRepository = ReturnType<typeof relatedRepository>;

export function relatedRepository({ readPool }: Pick<Database, 'readPool'>) {
  return {
    /** @param farthest distance of arrangements up to which crystals are looked for */
    async byStructId(structId: number, most: number, farthest: number): Promise<StoredRelations | null> {
      const { rows } = await readPool.query<StoredRelations>({
        name: 'material-related',
        text: RELATED_SQL,
        values: [structId, most, farthest],
      });
      return rows[0] ?? null;
    },
  };
}

// ── The rules ──

export type Related = ReturnType<typeof related>;

/** Digits kept of a distance: what it means ends at the second. */
const DIGITS = 3;

type Alike = RelatedMaterials['similar']['rows'][number];

const vectorOf = (text: string): Float32Array => readArrangement(Buffer.from(text, 'hex'));

/** The candidates by their distance, nearest first. */
function byDistance(own: Float32Array, candidates: StoredRelations['kin']): Alike[] {
  return candidates
    .map(({ vector, prototype: _prototype, ...row }) => ({
      ...row,
      distance: Number(arrangementDistance(own, vectorOf(vector)).toFixed(DIGITS)),
    }))
    .toSorted((a, b) => a.distance - b.distance || a.struct_id - b.struct_id);
}

/** The one nearest to the hull of each formula and prototype: a hundred entries of one crystal say nothing more. */
function onePerCrystal(candidates: StoredRelations['near']): StoredRelations['near'] {
  const best = new Map<string, StoredRelations['near'][number]>();
  for (const candidate of candidates) {
    const key = `${candidate.formula} ${candidate.prototype}`;
    const known = best.get(key);
    if (!known || (candidate.e_above_hull ?? Infinity) < (known.e_above_hull ?? Infinity))
      best.set(key, candidate);
  }
  return [...best.values()];
}

const orderOf = (ion: string): number => WORKING_IONS.indexOf(ion as WorkingIon);

export function related(repository: RelatedRepository) {
  return {
    /** @throws AppError material.not-found */
    async byStructId(typed: string | number): Promise<RelatedMaterials> {
      const structId = parseStructId(typed);
      const stored =
        structId === null ? null : await repository.byStructId(structId, MOST_RELATED, FARTHEST_SIMILAR);
      if (!stored) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
      const { vector, kin, kinCount, near, windows, ...rest } = stored;
      const own = vector === null ? new Float32Array() : vectorOf(vector);
      const similar = byDistance(own, onePerCrystal(near))
        .filter(({ distance }) => distance <= FARTHEST_SIMILAR)
        .slice(0, MOST_RELATED);
      return {
        ...rest,
        windows: windows.toSorted((a, b) => orderOf(a.working_ion) - orderOf(b.working_ion)),
        same_prototype: { count: kinCount, rows: byDistance(own, kin).slice(0, MOST_RELATED) },
        similar: { count: similar.length, rows: similar },
      };
    },
  };
}
