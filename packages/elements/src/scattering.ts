/** Scattering by an atom: of X-rays with anomalous dispersion, and of neutrons. */
import { XRAY_SCATTERING_COEFFICIENTS } from './data/xray-scattering.ts';
import { PRECISE_SCATTERING_COEFFICIENTS } from './data/xray-scattering-fits.ts';
import { ANOMALOUS_SCATTERING, ANOMALOUS_WAVELENGTHS } from './data/anomalous-scattering.ts';

// X-ray scattering factors of neutral atoms (no anomalous dispersion).
//
// f(s) = Z − 41.78214 s² Σ aᵢ exp(−bᵢ s²) with s = sin θ / λ = 1/(2d) in 1/Å, as tabulated by De Graef and
// McHenry, Structure of Materials. The fits hold for s ≤ 1.5 Å⁻¹, which covers 2θ = 90° down to λ = 0.47 Å;
// beyond it the curves rise again and are meaningless. The fits of two light elements fail sooner, where
// their scattering is almost zero: H rises again above s = 0.8, Li is negative above s = 1.25.
//
// The fits are those of common programs, with which calculated patterns are compared. For Y, Zr, Nb, Te,
// La–Nd and Yb–Th, whose fits are of 1962, the factors are off by up to 3 to 5 % at s < 0.65; refinements use
// the fits of Waasmaier and Kirfel.

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

/** [c, a₁, b₁, …, a₅, b₅] of a neutral atom: f(s) = c + Σ aᵢ exp(−bᵢ s²); for the same elements. */
export function preciseScatteringCoefficients(element: string): readonly number[] | undefined {
  const symbol = element === 'D' || element === 'T' ? 'H' : element;
  return Object.hasOwn(PRECISE_SCATTERING_COEFFICIENTS, symbol)
    ? PRECISE_SCATTERING_COEFFICIENTS[symbol]
    : undefined;
}

/** Whether a row is one of `preciseScatteringCoefficients`; the rows of the others have at most four Gaussians. */
export const isPrecise = (coefficients: readonly number[]): boolean => coefficients.length === 11;

/**
 * Scattering factor in electrons at s² (1/Å²) from a row of coefficients of either table. f(0) = Z.
 * @example xrayScatteringFactor(xrayScatteringCoefficients('Si')!, 0) // 14
 */
export function xrayScatteringFactor(coefficients: readonly number[], sSquared: number): number {
  let sum = 0;
  for (let i = 1; i < coefficients.length; i += 2)
    sum += coefficients[i] * Math.exp(-coefficients[i + 1] * sSquared);
  return coefficients[0] + (isPrecise(coefficients) ? sum : -MOTT_BETHE_PER_ANGSTROM * sSquared * sum);
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
/**
 * Bound coherent scattering lengths b = b′ + i b″ of neutrons, facts of a published table: V. F. Sears, Neutron News 3(3),
 * 26 (1992), doi:10.1080/10448639208218770, as tabulated by the NIST Center for Neutron Research
 * (ncnr.nist.gov/resources/n-lengths).
 *
 * Each row is the natural mixture of isotopes of the element on Earth; D (²H) and T (³H) have separate rows. b″ is
 * given where nuclei absorb strongly (B, Cd, In, Sm, Eu, Gd, Dy), for neutrons of 1.798 Å. It is negative, because
 * absorption damps the wave; near their resonances (Cd, Sm, Eu, Gd) both parts change with the wavelength, which the
 * table does not contain. Tc, Pm, Ra, Pa and Np have the row of their measured isotope; other elements without stable
 * isotopes have none.
 */

export interface NeutronScatteringLength {
  /** b′ in fm. It is negative for H, Li, Ti, V and Mn, which scatter with opposite phase. */
  readonly real: number;
  /** b″ in fm; 0 where absorption is weak. */
  readonly imaginary: number;
}

/** [b′, b″] in fm */
const SCATTERING_LENGTHS: Readonly<Record<string, readonly [number, number]>> = {
  H: [-3.739, 0],
  D: [6.671, 0],
  T: [4.792, 0],
  He: [3.26, 0],
  Li: [-1.9, 0],
  Be: [7.79, 0],
  B: [5.3, -0.213],
  C: [6.646, 0],
  N: [9.36, 0],
  O: [5.803, 0],
  F: [5.654, 0],
  Ne: [4.566, 0],
  Na: [3.63, 0],
  Mg: [5.375, 0],
  Al: [3.449, 0],
  Si: [4.1491, 0],
  P: [5.13, 0],
  S: [2.847, 0],
  Cl: [9.577, 0],
  Ar: [1.909, 0],
  K: [3.67, 0],
  Ca: [4.7, 0],
  Sc: [12.29, 0],
  Ti: [-3.438, 0],
  V: [-0.3824, 0],
  Cr: [3.635, 0],
  Mn: [-3.73, 0],
  Fe: [9.45, 0],
  Co: [2.49, 0],
  Ni: [10.3, 0],
  Cu: [7.718, 0],
  Zn: [5.68, 0],
  Ga: [7.288, 0],
  Ge: [8.185, 0],
  As: [6.58, 0],
  Se: [7.97, 0],
  Br: [6.795, 0],
  Kr: [7.81, 0],
  Rb: [7.09, 0],
  Sr: [7.02, 0],
  Y: [7.75, 0],
  Zr: [7.16, 0],
  Nb: [7.054, 0],
  Mo: [6.715, 0],
  Tc: [6.8, 0],
  Ru: [7.03, 0],
  Rh: [5.88, 0],
  Pd: [5.91, 0],
  Ag: [5.922, 0],
  Cd: [4.87, -0.7],
  In: [4.065, -0.0539],
  Sn: [6.225, 0],
  Sb: [5.57, 0],
  Te: [5.8, 0],
  I: [5.28, 0],
  Xe: [4.92, 0],
  Cs: [5.42, 0],
  Ba: [5.07, 0],
  La: [8.24, 0],
  Ce: [4.84, 0],
  Pr: [4.58, 0],
  Nd: [7.69, 0],
  Pm: [12.6, 0],
  Sm: [0.8, -1.65],
  Eu: [7.22, -1.26],
  Gd: [6.5, -13.82],
  Tb: [7.38, 0],
  Dy: [16.9, -0.276],
  Ho: [8.01, 0],
  Er: [7.79, 0],
  Tm: [7.07, 0],
  Yb: [12.43, 0],
  Lu: [7.21, 0],
  Hf: [7.7, 0],
  Ta: [6.91, 0],
  W: [4.86, 0],
  Re: [9.2, 0],
  Os: [10.7, 0],
  Ir: [10.6, 0],
  Pt: [9.6, 0],
  Au: [7.63, 0],
  Hg: [12.692, 0],
  Tl: [8.776, 0],
  Pb: [9.405, 0],
  Bi: [8.532, 0],
  Ra: [10, 0],
  Th: [10.31, 0],
  Pa: [9.1, 0],
  U: [8.417, 0],
  Np: [10.55, 0],
};

/**
 * The scattering length of an element, or undefined where none is known. A neutron sees a nucleus as a point, so there
 * is no dependence on the angle.
 * @example neutronScatteringLength('Ti') // { real: -3.438, imaginary: 0 }
 */
export function neutronScatteringLength(element: string): NeutronScatteringLength | undefined {
  if (!Object.hasOwn(SCATTERING_LENGTHS, element)) return undefined;
  const [real, imaginary] = SCATTERING_LENGTHS[element];
  return { real, imaginary };
}
