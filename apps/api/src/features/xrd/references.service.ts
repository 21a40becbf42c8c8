/** Calculated patterns of result rows, to be laid over the measurement. */
import { parseStructId, type ReferencePattern, type xrdGet } from '@unitcell/contract';
import type { z } from 'zod';
import { AppError } from '../../plugins/app-error.ts';
import type { ThreadPool } from '../../threads/thread-pool.ts';
import { checkedSize, readRadiation } from './read-request.ts';
import type { DrawnReference, ReferenceRequest } from './reference-pattern.ts';
import { unsettle } from './refuse.ts';
import type { Settled } from './settle.ts';
import type { XrdRepository } from './xrd.repository.ts';

export type References = ReturnType<typeof references>;

export function references(repository: XrdRepository, threads: ThreadPool) {
  /** @throws AppError material.not-found, xrd.bad-size, xrd.unknown-source, xrd.bad-wavelength, xrd.too-many-reflections */
  return async function reference(body: z.output<typeof xrdGet.request>): Promise<ReferencePattern> {
    const { name, wavelength } = readRadiation(body.radiation);
    const crystalliteSizeNm = checkedSize(body.crystal_size);
    const structId = parseStructId(body.struct_id);
    const material = structId === null ? null : await repository.reference(structId);
    if (structId === null || !material)
      throw new AppError('material.not-found', { id: String(body.struct_id).slice(0, 20) });
    const { formula, spaceGroup, conventional } = material;
    const request: ReferenceRequest = {
      cell: conventional,
      formula,
      wavelength,
      crystalliteSizeNm,
      strain: body.strain,
      twoThetaMaxDeg: body.two_theta_max,
    };
    const drawn = await threads.run<Settled<DrawnReference>>('referencePattern', request);
    if ('refusal' in drawn && drawn.refusal.code === 'too-many-reflections')
      throw new AppError('xrd.too-many-reflections', { angle: body.two_theta_max, wavelength });
    return {
      error: 'false',
      message: '',
      ...unsettle(drawn),
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
