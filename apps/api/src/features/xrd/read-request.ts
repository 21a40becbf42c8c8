/** What people type into the matcher, read; patterns that clients send back, checked: they are not believed. */
import {
  type ElementFilter,
  MIN_PATTERN_POINTS,
  NEGATIVE_INTENSITY_SHARE,
  parseElementFilter,
  RADIATION_SOURCES,
} from '@unitcell/diffraction';
import { isElementSymbol } from '@unitcell/elements';
import { MAX_PATTERN_POINTS } from '@unitcell/contract/xrd';
import { checkedWavelength } from '../../domain/powder/powder-patterns.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Pattern } from './measured-pattern.ts';

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

/** @throws AppError xrd.data.* naming the point that cannot be used. */
export function assertPattern({ x, y }: Pattern): void {
  if (x.length !== y.length)
    throw new AppError('xrd.data.lengths', { angles: x.length, intensities: y.length });
  if (x.length > MAX_PATTERN_POINTS)
    throw new AppError('xrd.data.too-many', { points: x.length, limit: MAX_PATTERN_POINTS });
  if (x.length < MIN_PATTERN_POINTS)
    throw new AppError('xrd.data.too-few', { points: x.length, minimum: MIN_PATTERN_POINTS });
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const [i, angle] of x.entries()) {
    if (!(angle >= 0 && angle <= 180)) throw new AppError('xrd.data.angle', { point: i + 1, angle });
    if (i > 0 && !(angle > x[i - 1]!)) throw new AppError('xrd.data.order', { point: i + 1, angle });
    lowest = Math.min(lowest, y[i]!);
    highest = Math.max(highest, y[i]!);
  }
  if (lowest === highest) throw new AppError('xrd.data.constant', { value: highest });
  if (lowest < -NEGATIVE_INTENSITY_SHARE * highest)
    throw new AppError('xrd.data.negative', { lowest, highest });
}
