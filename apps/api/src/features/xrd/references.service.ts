/** Calculated patterns of result rows, to be laid over the measurement. */
import { parseStructId, type ReferencePattern, type xrdGet } from '@unitcell/contract';
import type { z } from 'zod';
import { AppError } from '../../messages/app-error.ts';
import type { PowderPatterns } from '../../domain/powder/powder-patterns.ts';
import type { Asker } from '../../infra/task-admission.ts';
import { readRadiation } from './read-request.ts';
import type { XrdRepository } from './xrd.repository.ts';

export type References = ReturnType<typeof references>;

export function references(repository: XrdRepository, powderPatterns: PowderPatterns) {
  /** @throws AppError material.not-found, xrd.unknown-source, and as powderPatterns */
  return async function reference(
    body: z.output<typeof xrdGet.request>,
    asker: Asker,
  ): Promise<ReferencePattern> {
    const { name, wavelength } = readRadiation(body.radiation);
    const crystalliteSizeNm = body.crystal_size;
    const typed = parseStructId(body.struct_id);
    const material = typed === null ? null : await repository.reference(typed);
    if (!material) throw new AppError('material.not-found', { id: String(body.struct_id).slice(0, 20) });
    const { structId, formula, spaceGroup, conventional } = material;
    const drawn = await powderPatterns(
      {
        cell: conventional,
        formula,
        wavelength,
        crystalliteSizeNm,
        strain: body.strain,
        twoThetaMaxDeg: body.two_theta_max,
      },
      asker,
    );
    return {
      error: 'false',
      message: '',
      ...drawn,
      struct_id: structId,
      formula,
      space_group: spaceGroup,
      radiation: name,
      wavelength,
      crystal_size: crystalliteSizeNm,
      strain: body.strain,
    };
  };
}
