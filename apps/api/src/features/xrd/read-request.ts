/** What people type into the matcher, read. */
import {
  DiffractionError,
  type ElementFilter,
  parseElementFilter,
  PARTICLE_SIZE_LIMITS_NM,
  RADIATION_SOURCES,
  WAVELENGTH_LIMITS,
} from '@unitcell/diffraction';
import { isElementSymbol } from '@unitcell/elements';
import { AppError } from '../../plugins/app-error.ts';
import { appErrorOf } from './refuse.ts';

export interface Radiation {
  /** As shown: `CuKα`, or the wavelength as text. */
  readonly name: string;
  /** Å */
  readonly wavelength: number;
}

/**
 * A source by id or shown name, or a wavelength in Å as number or text.
 * @throws AppError xrd.unknown-source, xrd.bad-wavelength
 */
export function readRadiation(typed: string | number): Radiation {
  const text = String(typed).trim();
  const source = RADIATION_SOURCES.find(({ id, name }) =>
    [id, name].some((known) => known.toLowerCase() === text.toLowerCase()),
  );
  if (source) return { name: source.name, wavelength: source.wavelength };
  const wavelength = text === '' ? Number.NaN : Number(text);
  if (Number.isNaN(wavelength))
    throw new AppError('xrd.unknown-source', {
      text: text.slice(0, 40),
      known: RADIATION_SOURCES.map(({ id }) => id).join(', '),
    });
  const { min, max } = WAVELENGTH_LIMITS;
  if (!(wavelength >= min && wavelength <= max))
    throw new AppError('xrd.bad-wavelength', { value: wavelength, min, max });
  return { name: text, wavelength };
}

/** @throws AppError xrd.filter.* */
export function readElementFilter(typed: string): ElementFilter | undefined {
  try {
    return parseElementFilter(typed, isElementSymbol);
  } catch (error) {
    throw error instanceof DiffractionError ? appErrorOf(error) : error;
  }
}

/** @throws AppError xrd.bad-size */
export function checkedSize(nanometres: number): number {
  const { min, max } = PARTICLE_SIZE_LIMITS_NM;
  if (!(nanometres >= min && nanometres <= max))
    throw new AppError('xrd.bad-size', { value: nanometres, min, max });
  return nanometres;
}
