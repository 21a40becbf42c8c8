/** Anomalous dispersion and absorption of X-rays at the Kα lines of laboratory tubes. */
import { ANOMALOUS_SCATTERING, ANOMALOUS_WAVELENGTHS } from './data/anomalous-scattering.ts';

export interface AnomalousScattering {
  /** f′ and f″ in electrons; the scattering factor is f(s) + f′ + i f″. */
  readonly real: number;
  readonly imaginary: number;
  /** μ/ρ of all processes together, cm²/g. */
  readonly massAttenuation: number;
}

/** Å; Kα1 and Kα2 of an anode differ from their mean by less than this. */
const SAME_LINE = 0.004;

/** Index of Kα of Cu, Co, Mo, Cr, Fe or Ag from a wavelength (Å, also of Kα1 or Kα2); −1 for other radiation. */
const lineOf = (wavelength: number): number =>
  ANOMALOUS_WAVELENGTHS.findIndex((listed) => Math.abs(listed - wavelength) < SAME_LINE);

/** Whether the table contains the wavelength (Å). */
export const hasAnomalousScattering = (wavelength: number): boolean => lineOf(wavelength) >= 0;

/**
 * The values of an element (H to U; deuterium as hydrogen), or undefined for other elements and wavelengths (Å).
 * @example anomalousScattering('Fe', 1.54184)!.imaginary // 3.178
 */
export function anomalousScattering(element: string, wavelength: number): AnomalousScattering | undefined {
  const line = lineOf(wavelength);
  const symbol = element === 'D' || element === 'T' ? 'H' : element;
  if (line < 0 || !Object.hasOwn(ANOMALOUS_SCATTERING, symbol)) return undefined;
  const [real, imaginary, massAttenuation] = ANOMALOUS_SCATTERING[symbol].slice(3 * line, 3 * line + 3);
  return { real, imaginary, massAttenuation };
}
