/** The patterns around a match: uploads read, normalised and freed of their background; calculated ones, to be laid over them. */
import { parseStructId } from '@unitcell/contract/common';
import type { ReferencePattern, XrdData, xrdGet } from '@unitcell/contract/xrd';
import type { z } from 'zod';
import type * as xrdThread from './xrd.thread.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Asker } from '../../infra/task-admission.ts';
import type { Door } from '../../infra/thread-pool.ts';
import { assertPattern, readRadiation } from './read-request.ts';
import type { ReadPattern } from './measured-pattern.ts';
import type { PowderPatterns } from '../../domain/powder/powder-patterns.ts';
import type { XrdRepository } from './xrd.repository.ts';

const DIGITS = 7;

/** Strongest point at 100. */
function normalised(y: readonly number[]): number[] {
  const highest = y.reduce((best, value) => Math.max(best, value), 0);
  if (!(highest > 0)) throw new AppError('xrd.no-peaks-left');
  return y.map((value) => Number(((100 * value) / highest).toPrecision(DIGITS)));
}

export type Patterns = ReturnType<typeof patterns>;

export function patterns(threads: Door<typeof xrdThread>) {
  return {
    /** @throws AppError xrd.file.* with the line found and the line expected */
    async read(bytes: Uint8Array, asker: Asker): Promise<ReadPattern> {
      return await threads.run('receivePattern', bytes, asker);
    },

    /** @throws AppError xrd.data.* */
    normalise(data: XrdData): XrdData {
      assertPattern(data);
      return { ...data, y: normalised(data.y), name: 'normlized' };
    },

    /** @throws AppError xrd.data.*, xrd.no-peaks-left */
    async removeBackground(
      data: XrdData,
      isNormalised: boolean,
      asker: Asker,
    ): Promise<XrdData & { readonly background: number[] }> {
      assertPattern(data);
      const { y, background } = await threads.run('splitBackground', { x: data.x, y: data.y }, asker);
      if (!y.some((value) => value > 0)) throw new AppError('xrd.no-peaks-left');
      return {
        x: data.x,
        y: isNormalised ? normalised(y) : [...y],
        name: isNormalised ? 'normlized' : 'pristine',
        background_removed: true,
        background: [...background],
      };
    },
  };
}

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
