/** One material for the detail page (spec §2.8). */
import { type MaterialDetail, parseStructId } from '@unitcell/contract';
import { AppError } from '../../messages/app-error.ts';
import { toMaterialDetail } from './detail.mapper.ts';
import type { DetailRepository } from './detail.repository.ts';

export type Detail = ReturnType<typeof detail>;

/** @param siteAddress where the site is reached: part of what is cited */
export function detail(repository: DetailRepository, siteAddress: string) {
  return {
    /** @throws AppError material.not-found */
    async byStructId(typed: string | number): Promise<MaterialDetail> {
      const structId = parseStructId(typed);
      const stored = structId === null ? null : await repository.byStructId(structId);
      if (!stored) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
      return toMaterialDetail(stored, siteAddress);
    },
  };
}
