/**
 * X-ray scattering factors of neutral atoms (no anomalous dispersion).
 *
 * f(s) = Z − 41.78214 s² Σ aᵢ exp(−bᵢ s²) with s = sin θ / λ = 1/(2d) in 1/Å, as tabulated by De Graef and
 * McHenry, Structure of Materials. The fits hold for s ≤ 1.5 Å⁻¹, which covers 2θ = 90° down to λ = 0.47 Å;
 * beyond it the curves rise again and are meaningless. The fits of two light elements fail sooner, where
 * their scattering is almost zero: H rises again above s = 0.8, Li is negative above s = 1.25.
 */
import { XRAY_SCATTERING_COEFFICIENTS } from './data/xray-scattering.ts';
import { ANOMALOUS_SCATTERING, ANOMALOUS_WAVELENGTHS } from './data/anomalous-scattering.ts';

/** 8π² m₀e²/h² in 1/Å: the Mott–Bethe constant, which converts an electron scattering factor to that of X-rays. */
export const MOTT_BETHE_PER_ANGSTROM = 41.78214;

/** Largest s = sin θ / λ (1/Å) up to which the fitted curves fall, as scattering factors must. */
export const MAX_SCATTERING_S = 1.5;

/** The elements that have scattering factors: H to Cf, in order of atomic number. */
export const XRAY_SCATTERERS: readonly string[] = Object.keys(XRAY_SCATTERING_COEFFICIENTS);

/**
 * [Z, a₁, b₁, a₂, b₂, …] of a neutral atom (aᵢ in Å, bᵢ in Å²), or undefined for an element outside the table (Es and
 * heavier). Deuterium scatters X-rays like hydrogen.
 */
export function xrayScatteringCoefficients(element: string): readonly number[] | undefined {
  const symbol = element === 'D' || element === 'T' ? 'H' : element;
  return Object.hasOwn(XRAY_SCATTERING_COEFFICIENTS, symbol)
    ? XRAY_SCATTERING_COEFFICIENTS[symbol]
    : undefined;
}

/**
 * Scattering factor in electrons at s² (1/Å²) from a row of coefficients. f(0) = Z.
 * @example xrayScatteringFactor(xrayScatteringCoefficients('Si')!, 0) // 14
 */
export function xrayScatteringFactor(coefficients: readonly number[], sSquared: number): number {
  let sum = 0;
  for (let i = 1; i < coefficients.length; i += 2)
    sum += coefficients[i] * Math.exp(-coefficients[i + 1] * sSquared);
  return coefficients[0] - MOTT_BETHE_PER_ANGSTROM * sSquared * sum;
}

// Anomalous dispersion and absorption of X-rays at the Kα lines of laboratory tubes.

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
