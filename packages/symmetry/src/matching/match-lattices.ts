/** Finds the bases of one lattice that resemble the reduced basis of another in lengths and angles. */
import {
  determinant3,
  dot3,
  firstAtOrAbove,
  type Mat3,
  norm3,
  rowTimesMatrix3,
  type Vec3,
} from '@unitcell/numerics';
import type { PreparedStructure } from './prepare-structure.ts';

/**
 * Largest coefficient of a basis vector: two reduced bases that agree within a few degrees never need more.
 */
const MAX_COEFFICIENT = 3;

/** The short vectors of a lattice, by length. */
export interface LatticeVectors {
  readonly lengths: Float64Array;
  readonly vectors: readonly Vec3[];
  /** The short vectors as integer multiples of the basis vectors. */
  readonly coefficients: readonly Vec3[];
}

export function shortVectors(basis: Mat3): LatticeVectors {
  const all: { length: number; vector: Vec3; coefficients: Vec3 }[] = [];
  for (let i = -MAX_COEFFICIENT; i <= MAX_COEFFICIENT; i++)
    for (let j = -MAX_COEFFICIENT; j <= MAX_COEFFICIENT; j++)
      for (let k = -MAX_COEFFICIENT; k <= MAX_COEFFICIENT; k++) {
        if (i === 0 && j === 0 && k === 0) continue;
        const coefficients: Vec3 = [i, j, k];
        const vector = rowTimesMatrix3(coefficients, basis);
        all.push({ length: norm3(vector), vector, coefficients });
      }
  all.sort((p, q) => p.length - q.length);
  return {
    lengths: Float64Array.from(all.map(({ length }) => length)),
    vectors: all.map(({ vector }) => vector),
    coefficients: all.map(({ coefficients }) => coefficients),
  };
}

export interface LatticeTolerances {
  /** Largest relative difference of two lengths. */
  readonly lengthTolerance: number;
  readonly angleToleranceRad: number;
}

/**
 * A basis of the first lattice that corresponds to the basis of the second, as integer multiples of the first
 * lattice's reduced basis.
 */
export interface LatticeMap {
  readonly coefficients: Mat3;
  readonly rows: Mat3;
}

/**
 * All bases of the lattice of `from` whose lengths (times `factor`) and angles agree with those of `to`,
 * including left-handed bases, because a crystal and its mirror image count as the same structure.
 */
export function* matchLattices(
  from: LatticeVectors,
  to: PreparedStructure,
  { lengthTolerance, angleToleranceRad }: LatticeTolerances,
  factor: number,
): Generator<LatticeMap> {
  const windows = to.lengths.map((length) => {
    const low = firstAtOrAbove(from.lengths, length / ((1 + lengthTolerance) * factor));
    const high = firstAtOrAbove(from.lengths, (length * (1 + lengthTolerance)) / factor);
    return { low, high };
  });
  if (windows.some(({ low, high }) => low === high)) return;
  const [alpha, beta, gamma] = to.anglesRad.map((angle) => cosineRange(angle, angleToleranceRad));
  const { lengths, vectors, coefficients } = from;
  for (let i = windows[0].low; i < windows[0].high; i++)
    for (let j = windows[1].low; j < windows[1].high; j++) {
      if (!isWithin(dot3(vectors[i], vectors[j]) / (lengths[i] * lengths[j]), gamma)) continue;
      for (let k = windows[2].low; k < windows[2].high; k++) {
        if (!isWithin(dot3(vectors[j], vectors[k]) / (lengths[j] * lengths[k]), alpha)) continue;
        if (!isWithin(dot3(vectors[i], vectors[k]) / (lengths[i] * lengths[k]), beta)) continue;
        if (Math.abs(determinant3([coefficients[i], coefficients[j], coefficients[k]])) !== 1) continue;
        yield {
          coefficients: [coefficients[i], coefficients[j], coefficients[k]],
          rows: [vectors[i], vectors[j], vectors[k]],
        };
      }
    }
}

/** Lowest and highest cosine of angles within a tolerance around `angle`. */
const cosineRange = (angle: number, tolerance: number): readonly [number, number] => [
  Math.cos(Math.min(Math.PI, angle + tolerance)),
  Math.cos(Math.max(0, angle - tolerance)),
];

const isWithin = (value: number, [low, high]: readonly [number, number]): boolean =>
  value >= low && value <= high;
