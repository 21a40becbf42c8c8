/**
 * A simulated measurement with the imperfections of a real one, for tests and benchmarks of the matcher.
 *
 * Preferred orientation: W. A. Dollase, J. Appl. Cryst. 19, 267 (1986), doi:10.1107/S0021889886089458
 * (March's function), applied to every reflection before equal angles are joined.
 */
import { reciprocalLattice, type Structure } from '@unitcell/crystal';
import { dot3, rowTimesMatrix3, norm3, type RandomSource, seededRandom } from '@unitcell/numerics';
import { angleGrid, profile } from '../profile.ts';
import { REFERENCE_WAVELENGTH, twoThetaDegOf } from '../radiation.ts';
import { reflections } from '../structure-factors.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** Standard deviation of the noise, as a share of the highest point. */
  readonly noise?: number;
  readonly zeroShiftDeg?: number;
  readonly crystalliteSizeNm?: number;
  /** March parameter: 1 means no orientation, values below 1 mean plates that lie flat on their axis. */
  readonly march?: number;
  readonly twoThetaRangeDeg?: readonly [number, number];
  readonly stepDeg?: number;
}

/** A normal deviate from two uniform ones (Box and Muller 1958). */
const normal = (random: RandomSource): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Background with an air-scatter tail and an amorphous hump, relative to a highest peak of 1. */
const backgroundAt = (twoThetaDeg: number): number =>
  0.1 + 0.3 * Math.exp(-(twoThetaDeg - 10) / 12) + 0.08 * Math.exp(-(((twoThetaDeg - 26) / 8) ** 2));

/**
 * Angles and intensities as a diffractometer with Cu Kα might record them. The seed determines the axis of orientation.
 */
export function simulatedMeasurement(
  structure: Structure,
  options: SimulationOptions,
): { x: Float64Array; y: Float64Array } {
  const {
    seed,
    noise = 0.05,
    zeroShiftDeg = 0.05,
    crystalliteSizeNm = 30,
    march = 0.7,
    twoThetaRangeDeg = [10, 90],
    stepDeg = 0.02,
  } = options;
  const random = seededRandom(seed);
  const wavelength = REFERENCE_WAVELENGTH;
  const reciprocal = reciprocalLattice(structure.latticeVectors);
  const axis = reciprocal[Math.floor(3 * random())];
  const [from, to] = twoThetaRangeDeg;
  const found = reflections(structure, { wavelength, twoThetaRangeDeg: [Math.max(1, from - 1), to + 1] });
  // Equivalent reflections share an angle but not a weight. They are combined into one peak to save time.
  const peaks = new Map<string, { twoThetaDeg: number; intensity: number }>();
  for (let i = 0; i < found.count; i++) {
    const g = rowTimesMatrix3([found.h[i], found.k[i], found.l[i]], reciprocal);
    const cosine = dot3(g, axis) / (norm3(g) * norm3(axis));
    const weight = (march * march * cosine * cosine + (1 - cosine * cosine) / march) ** -1.5;
    const twoThetaDeg = twoThetaDegOf(1 / Math.sqrt(found.inverseDSquared[i]), wavelength) + zeroShiftDeg;
    const key = twoThetaDeg.toFixed(4);
    const peak = peaks.get(key) ?? { twoThetaDeg, intensity: 0 };
    peak.intensity += found.intensity[i] * weight;
    peaks.set(key, peak);
  }
  const x = angleGrid(from, to, stepDeg);
  const clean = profile([...peaks.values()], { crystalliteSizeNm, wavelength, grid: x });
  const y = clean.map((value, i) => Math.max(0, value + 100 * (backgroundAt(x[i]) + noise * normal(random))));
  return { x, y };
}
