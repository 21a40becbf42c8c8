/**
 * Decides whether the sites of two structures coincide after their lattices have been superposed.
 *
 * One site of the rarest species of the first structure is placed on each site of that species of the second
 * in turn; every other site must then have a partner nearby. The shift is refined by subtracting the mean
 * displacement.
 */
import { dot3, inverse3, type Mat3, rowTimesMatrix3, scale3, type Vec3 } from '@unitcell/numerics';
import type { LatticeMap } from './match-lattices.ts';
import type { PreparedStructure } from './prepare-structure.ts';

export interface SiteMatchOptions {
  /** Largest displacement allowed, in units of the cube root of the volume per atom. */
  readonly siteTolerance: number;
  /** Return the first match within tolerance instead of the best. */
  readonly firstOnly: boolean;
}

/**
 * The search ends when the displacements are this small, because this is the rounding of published coordinates.
 */
export const PERFECT_RMS = 1e-5;

/**
 * Root mean square displacement of the best (or first) mapping of sites under one lattice map, in units of the cube root
 * of the volume per atom; null if no mapping is within tolerance.
 * @param classPartner for each class of `from` the corresponding class of `to`.
 * @param factor by which lengths of `from` are multiplied to compare them with `to`.
 */
export function matchSites(
  from: PreparedStructure,
  to: PreparedStructure,
  lattice: LatticeMap,
  classPartner: readonly number[],
  factor: number,
  { siteTolerance, firstOnly }: SiteMatchOptions,
): number | null {
  const count = from.siteCount;
  const moved = changedBasis(from, lattice.coefficients);
  const metric = meanMetric(lattice.rows, to.basis, factor);
  const attempt = new PairingAttempt(moved, from, to, classPartner, metric, 2 * siteTolerance);
  let best: number | null = null;
  const target = classPartner[0];
  for (let anchor = to.classStart[target]; anchor < to.classStart[target + 1]; anchor++) {
    if (!attempt.pair(anchor)) continue;
    const { rms, maxDistance } = residual(attempt.displacements, count, metric);
    if (maxDistance > siteTolerance || (best !== null && rms >= best)) continue;
    best = rms;
    if (firstOnly || rms < PERFECT_RMS) break;
  }
  return best;
}

function changedBasis({ fractional, siteCount }: PreparedStructure, coefficients: Mat3): Float64Array {
  const inverse = inverse3(coefficients);
  const moved = new Float64Array(3 * siteCount);
  for (let site = 0; site < siteCount; site++) {
    const position: Vec3 = [fractional[3 * site], fractional[3 * site + 1], fractional[3 * site + 2]];
    moved.set(rowTimesMatrix3(position, inverse), 3 * site);
  }
  return moved;
}

/**
 * xx, yy, zz, 2xy, 2xz, 2yz of the mean of both metric tensors, the metric of the cell halfway between the two.
 */
type Metric = readonly [number, number, number, number, number, number];

function meanMetric(rows: Mat3, other: Mat3, factor: number): Metric {
  const [a, b, c] = rows.map((row) => scale3(row, factor));
  const [p, q, r] = other;
  const mean = (u: Vec3, v: Vec3, x: Vec3, y: Vec3): number => (dot3(u, v) + dot3(x, y)) / 2;
  return [
    mean(a, a, p, p),
    mean(b, b, q, q),
    mean(c, c, r, r),
    2 * mean(a, b, p, q),
    2 * mean(a, c, p, r),
    2 * mean(b, c, q, r),
  ];
}

const squareOf = (x: number, y: number, z: number, m: Metric): number =>
  m[0] * x * x + m[1] * y * y + m[2] * z * z + m[3] * x * y + m[4] * x * z + m[5] * y * z;

function residual(
  displacements: Float64Array,
  count: number,
  metric: Metric,
): { rms: number; maxDistance: number } {
  const mean = [0, 0, 0];
  for (let i = 0; i < 3 * count; i++) mean[i % 3] += displacements[i] / count;
  let [sum, largest] = [0, 0];
  for (let site = 0; site < count; site++) {
    const squared = squareOf(
      displacements[3 * site] - mean[0],
      displacements[3 * site + 1] - mean[1],
      displacements[3 * site + 2] - mean[2],
      metric,
    );
    sum += squared;
    if (squared > largest) largest = squared;
  }
  return { rms: Math.sqrt(sum / count), maxDistance: Math.sqrt(largest) };
}

/** Pairs the sites for one shift at a time. Its arrays are reused because millions of shifts may be tried. */
class PairingAttempt {
  readonly displacements: Float64Array;
  private readonly partners: Int32Array;
  private readonly owner: Int32Array;
  private readonly limit: number;

  constructor(
    private readonly moved: Float64Array,
    private readonly from: PreparedStructure,
    private readonly to: PreparedStructure,
    private readonly classPartner: readonly number[],
    private readonly metric: Metric,
    maxDistance: number,
  ) {
    this.partners = new Int32Array(from.siteCount);
    this.displacements = new Float64Array(3 * from.siteCount);
    this.owner = new Int32Array(to.siteCount);
    this.limit = maxDistance * maxDistance;
  }

  /** Puts the first site on `anchor` and pairs all others; false when some site finds no partner. */
  pair(anchor: number): boolean {
    const { moved, from, to } = this;
    const shift: Vec3 = [0, 1, 2].map(
      (axis) => to.fractional[3 * anchor + axis] - moved[axis],
    ) as unknown as Vec3;
    this.owner.fill(-1);
    for (let group = 0; group < this.classPartner.length; group++) {
      const [start, end] = [from.classStart[group], from.classStart[group + 1]];
      for (let site = start; site < end; site++) {
        const partner = this.nearest(site, this.classPartner[group], shift);
        if (partner < 0) return false;
        if (this.owner[partner] < 0) this.take(site, partner);
        else if (!this.rearrange(site, this.classPartner[group], shift, new Set())) return false;
      }
    }
    for (let site = 0; site < from.siteCount; site++) this.store(site, shift);
    return true;
  }

  private take(site: number, partner: number): void {
    this.partners[site] = partner;
    this.owner[partner] = site;
  }

  private square(site: number, partner: number, shift: Vec3): number {
    const { moved, to } = this;
    const x = to.fractional[3 * partner] - moved[3 * site] - shift[0];
    const y = to.fractional[3 * partner + 1] - moved[3 * site + 1] - shift[1];
    const z = to.fractional[3 * partner + 2] - moved[3 * site + 2] - shift[2];
    return squareOf(x - Math.round(x), y - Math.round(y), z - Math.round(z), this.metric);
  }

  private nearest(site: number, group: number, shift: Vec3): number {
    let [found, shortest] = [-1, this.limit];
    for (let partner = this.to.classStart[group]; partner < this.to.classStart[group + 1]; partner++) {
      const squared = this.square(site, partner, shift);
      if (squared <= shortest) [found, shortest] = [partner, squared];
    }
    return found;
  }

  /** Augmenting path of the bipartite matching: finds a partner for `site` by reassigning the sites that block it. */
  private rearrange(site: number, group: number, shift: Vec3, visited: Set<number>): boolean {
    for (let partner = this.to.classStart[group]; partner < this.to.classStart[group + 1]; partner++) {
      if (visited.has(partner) || this.square(site, partner, shift) > this.limit) continue;
      visited.add(partner);
      if (this.owner[partner] < 0 || this.rearrange(this.owner[partner], group, shift, visited)) {
        this.take(site, partner);
        return true;
      }
    }
    return false;
  }

  private store(site: number, shift: Vec3): void {
    for (let axis = 0; axis < 3; axis++) {
      const raw =
        this.to.fractional[3 * this.partners[site] + axis] - this.moved[3 * site + axis] - shift[axis];
      this.displacements[3 * site + axis] = raw - Math.round(raw);
    }
  }
}
