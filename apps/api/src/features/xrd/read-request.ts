/** What people type into the matcher, read. */
import { type ElementFilter, parseElementFilter, RADIATION_SOURCES } from '@unitcell/diffraction';
import { isElementSymbol } from '@unitcell/elements';
import { checkedWavelength } from '../../domain/powder/powder-patterns.ts';
import { AppError } from '../../messages/app-error.ts';

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
  return { name: text, wavelength: checkedWavelength(wavelength) };
}

/** @throws DiffractionError bad-filter */
export function readElementFilter(typed: string): ElementFilter | undefined {
  return parseElementFilter(typed, isElementSymbol);
}
