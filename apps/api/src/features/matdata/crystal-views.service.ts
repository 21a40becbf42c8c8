/** Powder patterns and Brillouin zones of stored materials, calculated in worker threads. */
import { type BrillouinZoneData, type MaterialXrd, parseStructId } from '@unitcell/contract';
import { PARTICLE_SIZE_LIMITS_NM, REFERENCE_WAVELENGTH, WAVELENGTH_LIMITS } from '@unitcell/diffraction';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../plugins/app-error.ts';
import type { ThreadPool } from '../../threads/thread-pool.ts';
import type { CellsRepository, StoredCells } from './cells.repository.ts';
import type { PatternRefusal, PatternRequest } from './material-pattern.ts';
import type { ZoneRequest } from './material-zone.ts';

/** nm, what the page starts with (spec §9). */
export const DEFAULT_CRYSTALLITE_SIZE_NM = 200;
/** A pattern is about 60 kB of JSON. */
const CACHED_ANSWERS = 200;

/** Why there is no pattern, in words; the number of reflections falls with the third power of the wavelength. */
function patternError({ code, message, details }: PatternRefusal, wavelength: number): AppError {
  const { estimate, limit, element } = details;
  if (code === 'too-many-reflections' && typeof estimate === 'number' && typeof limit === 'number')
    return new AppError('material.too-many-reflections', {
      count: estimate,
      limit,
      // Rounded up, so that the advice works.
      shortest: Math.ceil(100 * wavelength * Math.cbrt(estimate / limit)) / 100,
    });
  if (code === 'unknown-element')
    return new AppError('material.no-scattering-factor', { element: String(element) });
  return new AppError('material.no-pattern', { reason: message });
}

export interface CrystalViewsOptions {
  readonly cells: CellsRepository;
  readonly threads: ThreadPool;
}

export type CrystalViews = ReturnType<typeof crystalViews>;

export function crystalViews({ cells, threads }: CrystalViewsOptions) {
  const cache = new LRUCache<string, MaterialXrd | BrillouinZoneData>({ max: CACHED_ANSWERS });

  async function cellsOf(typed: string | number): Promise<StoredCells> {
    const structId = parseStructId(typed);
    const stored = structId === null ? null : await cells.byStructId(structId);
    if (!stored) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
    return stored;
  }

  async function cached<T extends MaterialXrd | BrillouinZoneData>(
    key: string,
    make: () => Promise<T>,
  ): Promise<T> {
    const known = cache.get(key);
    if (known) return known as T;
    const made = await make();
    cache.set(key, made);
    return made;
  }

  return {
    /** @throws AppError material.not-found, xrd.bad-wavelength, xrd.bad-size, material.too-many-reflections, material.no-scattering-factor, material.no-pattern */
    async pattern(
      structId: string | number,
      wavelength = REFERENCE_WAVELENGTH,
      crystalliteSizeNm = DEFAULT_CRYSTALLITE_SIZE_NM,
    ): Promise<MaterialXrd> {
      if (!(wavelength >= WAVELENGTH_LIMITS.min && wavelength <= WAVELENGTH_LIMITS.max))
        throw new AppError('xrd.bad-wavelength', { value: wavelength, ...WAVELENGTH_LIMITS });
      if (
        !(
          crystalliteSizeNm >= PARTICLE_SIZE_LIMITS_NM.min && crystalliteSizeNm <= PARTICLE_SIZE_LIMITS_NM.max
        )
      )
        throw new AppError('xrd.bad-size', { value: crystalliteSizeNm, ...PARTICLE_SIZE_LIMITS_NM });
      const { conventional, formula } = await cellsOf(structId);
      const request: PatternRequest = { cell: conventional, formula, wavelength, crystalliteSizeNm };
      const key = `xrd:${parseStructId(structId)}:${wavelength}:${crystalliteSizeNm}`;
      return cached(key, async () => {
        const made = await threads.run<MaterialXrd | PatternRefusal>('materialPattern', request);
        if ('isRefused' in made) throw patternError(made, wavelength);
        return made;
      });
    },

    /** @throws AppError material.not-found */
    async brillouinZone(structId: string | number): Promise<BrillouinZoneData> {
      const { primitive, symprec } = await cellsOf(structId);
      const request: ZoneRequest = { cell: primitive, symprec };
      return cached(`zone:${parseStructId(structId)}`, () =>
        threads.run<BrillouinZoneData>('materialZone', request),
      );
    },
  };
}
