/**
 * Calculated powder patterns of stored cells, for the page of a material and as an overlay on a measurement.
 */
import { PARTICLE_SIZE_LIMITS_NM, REFERENCE_WAVELENGTH, WAVELENGTH_LIMITS } from '@unitcell/diffraction';
import { ScienceError } from '@unitcell/errors';
import { AppError } from '../../messages/app-error.ts';
import type { Caller, ThreadPool } from '../../infra/thread-pool.ts';
import type * as powderThread from './powder.thread.ts';
import type { CalculatedPattern, PatternRequest } from './powder.thread.ts';

export type PowderPatterns = ReturnType<typeof powderPatterns>;

/** @throws AppError xrd.bad-wavelength */
export function checkedWavelength(angstroms: number): number {
  const { min, max } = WAVELENGTH_LIMITS;
  if (!(angstroms >= min && angstroms <= max))
    throw new AppError('xrd.bad-wavelength', { value: angstroms, min, max });
  return angstroms;
}

/** @throws AppError xrd.bad-size */
export function checkedSize(nanometres: number): number {
  const { min, max } = PARTICLE_SIZE_LIMITS_NM;
  if (!(nanometres >= min && nanometres <= max))
    throw new AppError('xrd.bad-size', { value: nanometres, min, max });
  return nanometres;
}

/** Å, nm, degrees: the initial values on the page of a material (spec §9). */
export const PATTERN_DEFAULTS = {
  wavelength: REFERENCE_WAVELENGTH,
  crystalliteSizeNm: 200,
  strain: 0,
  twoThetaMaxDeg: 90,
} as const;

export type PatternInput = Omit<PatternRequest, 'maxReflections'>;

export function powderPatterns(pool: ThreadPool, maxReflections: number) {
  const threads = pool.open<typeof powderThread>(new URL('./powder.thread.ts', import.meta.url));
  /**
   * @throws AppError xrd.bad-wavelength, xrd.bad-size, material.too-many-reflections; DiffractionError unknown-element,
   *   bad-structure
   */
  return async function pattern(input: PatternInput, caller: Caller): Promise<CalculatedPattern> {
    const { wavelength } = input;
    checkedWavelength(wavelength);
    checkedSize(input.crystalliteSizeNm);
    try {
      return await threads.run('calculatedPattern', { ...input, maxReflections }, caller);
    } catch (error) {
      if (!(error instanceof ScienceError) || error.code !== 'too-many-reflections') throw error;
      const count = Number(error.parameters.estimate);
      throw new AppError('material.too-many-reflections', {
        count,
        limit: maxReflections,
        // The number of reflections is proportional to λ⁻³. The wavelength is rounded up, so that the suggested
        // value is allowed.
        shortest: Math.ceil(100 * wavelength * Math.cbrt(count / maxReflections)) / 100,
      });
    }
  };
}
