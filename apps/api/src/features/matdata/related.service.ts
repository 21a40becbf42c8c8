/** What leads on from a material: the block "Related" of its page. */
import {
  FARTHEST_SIMILAR,
  MOST_RELATED,
  parseStructId,
  type RelatedMaterials,
  WORKING_IONS,
  type WorkingIon,
} from '@unitcell/contract';
import { arrangementDistance } from '@unitcell/crystal';
import { readArrangement } from '../../catalogue/renew/arrange-cell.ts';
import { AppError } from '../../messages/app-error.ts';
import type { RelatedRepository, StoredRelations } from './related.repository.ts';

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
