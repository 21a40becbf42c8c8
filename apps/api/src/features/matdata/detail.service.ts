/** One material for the detail page (spec §2.8). */
import { type MaterialDetail, parseStructId } from '@unitcell/contract';
import { AppError } from '../../messages/app-error.ts';
import { toMaterialDetail } from './detail.mapper.ts';
import type { Completenesses } from '../../domain/thermodynamics/completeness.ts';
import type { DetailRepository } from './detail.repository.ts';

export type Detail = ReturnType<typeof detail>;

export function detail(repository: DetailRepository, completeness: Completenesses) {
  return {
    /** @throws AppError material.not-found */
    async byStructId(typed: string | number): Promise<MaterialDetail> {
      const structId = parseStructId(typed);
      const stored = structId === null ? null : await repository.byStructId(structId);
      if (!stored) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
      const answer = toMaterialDetail(stored);
      const energy_scales = await Promise.all(
        answer.energy_scales.map(async (scale) => ({
          ...scale,
          completeness: await completeness.of(scale.functional, stored.elements, { e_above_hull: 'lower' }),
        })),
      );
      return { ...answer, energy_scales };
    },
  };
}
