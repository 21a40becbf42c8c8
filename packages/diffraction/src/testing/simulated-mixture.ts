/**
 * A simulated measurement of a mixture with known shares by weight, for tests of the refinement. It shares only
 * the structure factors with the refinement.
 *
 * Intensities: S·m|F|²·LP with S = share / (mass of the cell × its volume): R. J. Hill and C. J. Howard, J.
 * Appl. Cryst. 20, 467 (1987), doi:10.1107/S0021889887086199.
 */
import { cellVolume, compositionOf, molarMass, type Structure } from '@unitcell/crystal';
import { preciseScatteringCoefficients } from '@unitcell/elements';
import { type Mat3, scale3, seededRandom } from '@unitcell/numerics';
import { reflections } from '../structure-factors.ts';

export interface MixturePhase {
  readonly structure: Structure;
  /** Share by weight; the sum need not be 1. */
  readonly share: number;
  /** Strain: the cell is 1 + strain times that of the structure. */
  readonly strain?: number;
}

export interface MixtureOptions {
  readonly seed: number;
  /** Counts of the highest point. */
  readonly counts?: number;
  readonly twoThetaRangeDeg?: readonly [number, number];
  readonly stepDeg?: number;
  /** Shift of 2θ divided by cos θ, degrees. */
  readonly displacementDeg?: number;
}

/** Wavelength in Å and relative intensity of Cu Kα1 and Kα2. */
const LINES = [
  [1.54056, 1],
  [1.54439, 0.5],
] as const;

/** Å²; the value that the refinement assumes if nothing is known. */
const B = 0.5;

/** Full width in degrees, by Caglioti's formula with values of a laboratory instrument. */
const widthAt = (theta: number): number =>
  Math.sqrt(0.008 * Math.tan(theta) ** 2 - 0.004 * Math.tan(theta) + 0.007);

/** Number of widths from the centre at which a line ends. */
const REACH = 40;

/** A profile of area 1, half Gaussian and half Lorentzian. */
function pseudoVoigt(x: number, width: number): number {
  const t = (2 * x) / width;
  const gauss = Math.sqrt(Math.LN2 / Math.PI) * Math.exp(-Math.LN2 * t * t);
  return (gauss + 1 / (Math.PI * (1 + t * t))) / width;
}

const scaled = ([a, b, c]: Mat3, by: number): Mat3 => [scale3(a, by), scale3(b, by), scale3(c, by)];

/** Angles in degrees, and counts with noise. */
export function simulatedMixture(
  phases: readonly MixturePhase[],
  options: MixtureOptions,
): { x: number[]; y: number[] } {
  const { seed, counts = 20_000, stepDeg = 0.02, displacementDeg = 0 } = options;
  const [from, to] = options.twoThetaRangeDeg ?? [15, 100];
  const count = Math.round((to - from) / stepDeg) + 1;
  const x = Array.from({ length: count }, (_, i) => Number((from + i * stepDeg).toFixed(4)));
  const clean = new Float64Array(count);
  for (const { structure, share, strain = 0 } of phases) {
    const cell = { ...structure, latticeVectors: scaled(structure.latticeVectors, 1 + strain) };
    const composition = compositionOf(cell);
    const scale = share / (molarMass(composition) * cellVolume(cell.latticeVectors));
    const debyeWallerB = Object.fromEntries(Object.keys(composition).map((element) => [element, B]));
    for (const [wavelength, weight] of LINES) {
      const found = reflections(cell, {
        wavelength,
        twoThetaRangeDeg: [Math.max(2, from - 3), to + 3],
        debyeWallerB,
        coefficientsOf: preciseScatteringCoefficients,
      });
      for (let i = 0; i < found.count; i++) {
        const theta = Math.asin((wavelength * Math.sqrt(found.inverseDSquared[i])) / 2);
        const centre = (360 * theta) / Math.PI + displacementDeg * Math.cos(theta);
        const width = widthAt(theta);
        const first = Math.max(0, Math.ceil((centre - REACH * width - from) / stepDeg));
        const last = Math.min(count - 1, Math.floor((centre + REACH * width - from) / stepDeg));
        for (let at = first; at <= last; at++)
          clean[at] += scale * weight * found.intensity[i] * pseudoVoigt(x[at] - centre, width);
      }
    }
  }
  const highest = clean.reduce((best, value) => Math.max(best, value), 0);
  const random = seededRandom(seed);
  const y = Array.from(clean, (value, i) => {
    const mean = (counts * value) / highest + 0.01 * counts * (1 + 2 * Math.exp(-(x[i] - from) / 20));
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + normal * Math.sqrt(mean)));
  });
  return { x, y };
}
