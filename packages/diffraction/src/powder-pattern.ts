/**
 * Calculated powder diffraction pattern of a crystal: peaks with their angle, spacing, intensity and indices.
 *
 * There is no Debye–Waller factor unless given, no absorption and no anomalous dispersion, as in common pattern
 * calculators, so that results can be compared line by line (docs/methods/xrd-patterns.md).
 */
import { latticeParameters, type Structure } from '@unitcell/crystal';
import type { Mat3 } from '@unitcell/numerics';
import { idealiseMetric } from './idealise-metric.ts';
import { type Probe, radiationSource, REFERENCE_WAVELENGTH, twoThetaDegOf } from './radiation.ts';
import { type Reflections, reflections } from './structure-factors.ts';

/**
 * By default, reflections closer than this (degrees of 2θ) are one peak. This joins only reflections with exactly equal
 * spacing. Idealising the metric first makes the spacings of one form equal.
 */
export const PEAK_MERGE_TOLERANCE_DEG = 1e-5;

/** Peaks below this share of the strongest (set to 100) are left out; forbidden reflections have about 1e-28. */
export const MIN_SCALED_INTENSITY = 1e-3;

/** Relative length (1) and angle (degrees) within which a cell counts as hexagonal and gets four indices. */
export const HEXAGONAL_TOLERANCE = { relativeLength: 1e-3, angleDeg: 0.05 } as const;

/** Degrees; the range of the patterns on the site. */
export const DEFAULT_TWO_THETA_RANGE_DEG = [0, 90] as const;

export interface ReflectionForm {
  /** h k l, or h k i l with i = −h −k for a hexagonal cell. */
  readonly hkl: readonly number[];
  /** Number of reflections of the form that belong to the peak. */
  readonly multiplicity: number;
}

export interface PowderPeak {
  readonly twoThetaDeg: number;
  /** Å */
  readonly dSpacing: number;
  /** Intensity relative to the strongest peak, which is 100. */
  readonly intensity: number;
  /** Forms (indices equal up to order and signs), in descending order of the indices. */
  readonly hkls: readonly ReflectionForm[];
}

export interface PowderPattern {
  /** Peaks in order of 2θ. */
  readonly peaks: readonly PowderPeak[];
}

export interface PowderPatternOptions {
  /** Å; overrides `source`. */
  readonly wavelength?: number;
  /** A source by id or name, see findRadiationSource; default Cu Kα. */
  readonly source?: string;
  /** Default X-rays. */
  readonly probe?: Probe | undefined;
  readonly twoThetaRangeDeg?: readonly [number, number];
  /** Reflections closer than this (degrees of 2θ) are one peak; default PEAK_MERGE_TOLERANCE_DEG. */
  readonly mergeToleranceDeg?: number;
  /**
   * Rotations W of the space group in the basis of the cell (x' = W x with a COLUMN x): reflections related by them are
   * one form, even if the cell is distorted, and are computed once. Without rotations a cell counts as symmetric within
   * METRIC_SYMMETRY_TOLERANCE.
   */
  readonly symmetryRotations?: readonly Mat3[];
  readonly debyeWallerB?: Readonly<Record<string, number>>;
  /** See ReflectionOptions. */
  readonly maxReflections?: number;
}

/**
 * Reflections in order of angle, grouped into peaks: peak p has members order[start[p]] … order[start[p+1] −
 * 1].
 */
interface GroupedReflections {
  readonly order: Uint32Array;
  readonly start: Uint32Array;
}

/**
 * Indices 0…count − 1 in order of rising 1/d². Reflections fill a sphere, so their number grows with (1/d²)^1.5:
 * buckets of equal width in (1/d²)^1.5 hold about one reflection each, and an insertion sort finishes in linear time.
 */
function orderByAngle({ count, inverseDSquared }: Reflections): Uint32Array {
  let largest = 0;
  for (let i = 0; i < count; i++) if (inverseDSquared[i] > largest) largest = inverseDSquared[i];
  const bucket = new Uint32Array(count);
  const next = new Uint32Array(count + 2);
  for (let i = 0; i < count; i++) {
    const share = inverseDSquared[i] / largest;
    bucket[i] = share * Math.sqrt(share) * count;
    next[bucket[i] + 1] += 1;
  }
  for (let i = 1; i <= count + 1; i++) next[i] += next[i - 1];
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[next[bucket[i]]++] = i;
  for (let i = 1; i < count; i++) {
    const moving = order[i];
    const value = inverseDSquared[moving];
    let at = i;
    for (; at > 0 && inverseDSquared[order[at - 1]] > value; at--) order[at] = order[at - 1];
    order[at] = moving;
  }
  return order;
}

/**
 * Joins reflections that are within the tolerance of the first one of a peak. The end of the tolerance is converted to
 * 1/d² (sin (θ + δ) from sin θ = λ/2d by the addition theorem), which avoids an arc sine for each reflection.
 */
function groupByAngle(found: Reflections, wavelength: number, toleranceDeg: number): GroupedReflections {
  const order = orderByAngle(found);
  const start = new Uint32Array(found.count + 1);
  const sinSquaredPerUnit = (wavelength * wavelength) / 4;
  const halfToleranceRad = (toleranceDeg * Math.PI) / 360;
  const [cosTolerance, sinTolerance] = [Math.cos(halfToleranceRad), Math.sin(halfToleranceRad)];
  let peaks = 0;
  let limit = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < found.count; i++) {
    const value = found.inverseDSquared[order[i]];
    if (value <= limit) continue;
    start[peaks++] = i;
    const sinSquared = value * sinSquaredPerUnit;
    const [sin, cos] = [Math.sqrt(sinSquared), Math.sqrt(1 - sinSquared)];
    const isPastBackscattering = cos * cosTolerance <= sin * sinTolerance;
    limit = isPastBackscattering
      ? Number.POSITIVE_INFINITY
      : (sin * cosTolerance + cos * sinTolerance) ** 2 / sinSquaredPerUnit;
  }
  start[peaks] = found.count;
  return { order, start: start.subarray(0, peaks + 1) };
}

/** Whether a cell has a = b, α = β = 90° and γ = 120°, so that i = −(h + k) is meaningful. */
function isHexagonalCell(structure: Structure): boolean {
  const { a, b, alpha, beta, gamma } = latticeParameters(structure.latticeVectors);
  const { relativeLength, angleDeg } = HEXAGONAL_TOLERANCE;
  return (
    Math.abs(a - b) <= relativeLength * a &&
    Math.abs(alpha - 90) <= angleDeg &&
    Math.abs(beta - 90) <= angleDeg &&
    Math.abs(gamma - 120) <= angleDeg
  );
}

/**
 * A number that is equal for indices that differ only by order and signs. In the hexagonal basis only h, k
 * and i may be exchanged, because l belongs to another axis.
 */
function formKey(h: number, k: number, l: number, hexagonal: boolean): number {
  let a = Math.abs(h);
  let b = Math.abs(k);
  let c = Math.abs(hexagonal ? h + k : l);
  let swap = 0;
  if (a < b) {
    swap = a;
    a = b;
    b = swap;
  }
  if (b < c) {
    swap = b;
    b = c;
    c = swap;
  }
  if (a < b) {
    swap = a;
    a = b;
    b = swap;
  }
  // In practice, indices are below 4,096 for every cell within MAX_REFLECTIONS; a collision would only merge labels.
  return ((a * 4096 + b) * 4096 + (hexagonal ? Math.abs(l) : c)) * 2;
}

/** Chooses hkl or its Friedel mate, whichever has fewer minus signs. */
const readable = (h: number, k: number, l: number): number[] =>
  Math.sign(h) + Math.sign(k) + Math.sign(l) < 0 ? [0 - h, 0 - k, 0 - l] : [h, k, l];

const withFourIndices = ([h, k, l]: readonly number[], hexagonal: boolean): number[] =>
  hexagonal ? [h, k, 0 - h - k, l] : [h, k, l];

/** Whether the indices `a` follow `b` in lexicographic order. */
const isLarger = (a: readonly number[], b: readonly number[]): boolean =>
  a[0] > b[0] || (a[0] === b[0] && (a[1] > b[1] || (a[1] === b[1] && a[2] > b[2])));

/** The forms of one peak. The representative is the member with the largest indices in lexicographic order. */
function formsOf(found: Reflections, members: Uint32Array, hexagonal: boolean): ReflectionForm[] {
  if (members.length === 1) {
    const [i] = members;
    const hkl = withFourIndices(readable(found.h[i], found.k[i], found.l[i]), hexagonal);
    return [{ hkl, multiplicity: found.multiplicity[i] }];
  }
  const forms: { key: number; hkl: number[]; multiplicity: number }[] = [];
  for (const i of members) {
    const hkl = readable(found.h[i], found.k[i], found.l[i]);
    const key = formKey(hkl[0], hkl[1], hkl[2], hexagonal);
    const form = forms.find((candidate) => candidate.key === key);
    if (!form) forms.push({ key, hkl, multiplicity: found.multiplicity[i] });
    else {
      form.multiplicity += found.multiplicity[i];
      if (isLarger(hkl, form.hkl)) form.hkl = hkl;
    }
  }
  return forms
    .sort((a, b) => (isLarger(b.hkl, a.hkl) ? 1 : -1))
    .map(({ hkl, multiplicity }) => ({ hkl: withFourIndices(hkl, hexagonal), multiplicity }));
}

/** 1/d² of a peak: the mean of its reflections, weighted by their intensities. */
function meanInverseDSquared(found: Reflections, members: Uint32Array, sum: number): number {
  if (members.length === 1) return found.inverseDSquared[members[0]];
  let weighted = 0;
  for (const i of members) weighted += found.intensity[i] * found.inverseDSquared[i];
  return weighted / sum;
}

/**
 * Powder pattern of a crystal.
 *
 * I(peak) = Σ |F(hkl)|² (1 + cos² 2θ) / (sin² θ cos θ), for neutrons without 1 + cos² 2θ, over all reflections of the peak (so that the sum includes the
 * multiplicity); it is then scaled so that the strongest is 100. Mixed and partly occupied sites scatter with their
 * occupancies; charges are ignored. The metric of the cell is idealised, see idealise-metric.ts, so that the
 * reflections of one form are one peak.
 * @throws DiffractionError see `reflections`; `unknown-source`.
 * @example powderPattern(rockSalt, { source: 'CuKa' }).peaks[1].hkls // [{ hkl: [2, 0, 0], multiplicity: 6 }]
 */
export function powderPattern(structure: Structure, options: PowderPatternOptions = {}): PowderPattern {
  const wavelength =
    options.wavelength ??
    (options.source === undefined ? REFERENCE_WAVELENGTH : radiationSource(options.source).wavelength);
  const twoThetaRangeDeg = options.twoThetaRangeDeg ?? DEFAULT_TWO_THETA_RANGE_DEG;
  const latticeVectors = idealiseMetric(structure.latticeVectors, options.symmetryRotations);
  const ideal: Structure = { latticeVectors, sites: structure.sites };
  const found = reflections(ideal, {
    wavelength,
    probe: options.probe,
    twoThetaRangeDeg,
    ...(options.symmetryRotations && { symmetryRotations: options.symmetryRotations }),
    ...(options.debyeWallerB && { debyeWallerB: options.debyeWallerB }),
    ...(options.maxReflections !== undefined && { maxReflections: options.maxReflections }),
  });
  const { order, start } = groupByAngle(
    found,
    wavelength,
    options.mergeToleranceDeg ?? PEAK_MERGE_TOLERANCE_DEG,
  );
  const peakCount = start.length - 1;
  const sums = new Float64Array(peakCount);
  let strongest = 0;
  for (let p = 0; p < peakCount; p++) {
    for (let m = start[p]; m < start[p + 1]; m++) sums[p] += found.intensity[order[m]];
    strongest = Math.max(strongest, sums[p]);
  }
  const hexagonal = isHexagonalCell(ideal);
  const peaks: PowderPeak[] = [];
  for (let p = 0; p < peakCount; p++) {
    const intensity = (100 * sums[p]) / strongest;
    if (!(intensity >= MIN_SCALED_INTENSITY)) continue;
    const members = order.subarray(start[p], start[p + 1]);
    const dSpacing = 1 / Math.sqrt(meanInverseDSquared(found, members, sums[p]));
    peaks.push({
      twoThetaDeg: twoThetaDegOf(dSpacing, wavelength),
      dSpacing,
      intensity,
      hkls: formsOf(found, members, hexagonal),
    });
  }
  return { peaks };
}
