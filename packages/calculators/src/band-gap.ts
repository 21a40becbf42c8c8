/** Decides from eigenvalues whether a crystal is a metal or an insulator, and finds the gap. */
import { type Vec3, type Mat3, norm3, rowTimesMatrix3, subtract3 } from '@unitcell/numerics';
import type { Eigenvalues } from './calculator.ts';

/** eV. Smaller gaps are below the resolution of a smeared calculation, so the crystal counts as a metal. */
export const SMALLEST_GAP = 0.02;
/** eV. A gap is direct if the smallest vertical gap is larger by no more than this. */
export const DIRECT_TOLERANCE = 0.005;

export interface BandEdges {
  /** eV */
  readonly energy: number;
  readonly kPoint: Vec3;
}

export type ElectronicStructure =
  | { readonly isMetal: true; readonly gap: 0; readonly fermiEnergy: number }
  | {
      readonly isMetal: false;
      /** eV */
      readonly gap: number;
      readonly directGap: number;
      readonly isDirect: boolean;
      readonly vbm: BandEdges;
      readonly cbm: BandEdges;
      /** Middle of the gap, eV. */
      readonly fermiEnergy: number;
    };

const filled = (energies: readonly number[], fermiEnergy: number): number =>
  energies.filter((energy) => energy <= fermiEnergy).length;

/**
 * @param channels eigenvalues of every spin channel, on the mesh or along the path
 * @param fermiEnergy eV, of the mesh
 */
export function electronicStructure(
  channels: readonly Eigenvalues[],
  fermiEnergy: number,
): ElectronicStructure {
  let vbm: BandEdges | null = null;
  let cbm: BandEdges | null = null;
  let directGap = Number.POSITIVE_INFINITY;
  let isMetal = false;
  for (const { kPoints, energies } of channels) {
    const count = filled(energies[0] ?? [], fermiEnergy);
    energies.forEach((row, k) => {
      if (filled(row, fermiEnergy) !== count) isMetal = true;
      if (count === 0 || count >= row.length) return;
      const [top, bottom] = [row[count - 1], row[count]];
      if (!vbm || top > vbm.energy) vbm = { energy: top, kPoint: kPoints[k] };
      if (!cbm || bottom < cbm.energy) cbm = { energy: bottom, kPoint: kPoints[k] };
      directGap = Math.min(directGap, bottom - top);
    });
  }
  const [top, bottom] = [vbm as BandEdges | null, cbm as BandEdges | null];
  if (isMetal || !top || !bottom || bottom.energy - top.energy < SMALLEST_GAP)
    return { isMetal: true, gap: 0, fermiEnergy };
  const gap = bottom.energy - top.energy;
  return {
    isMetal: false,
    gap,
    directGap,
    isDirect: directGap - gap <= DIRECT_TOLERANCE,
    vbm: top,
    cbm: bottom,
    fermiEnergy: (top.energy + bottom.energy) / 2,
  };
}

// Sampling of a path through the Brillouin zone.

/** The parts of a path that sampling needs; `kPath` of the symmetry package provides them. */
export interface LabelledPath {
  /** Fractional coordinates by label. */
  readonly points: Readonly<Record<string, Vec3>>;
  /** Labels along each unbroken branch. */
  readonly path: readonly (readonly string[])[];
  /** Rows of the reciprocal lattice, 1/Å with 2π. */
  readonly reciprocalLattice: Mat3;
}

export interface SampledPath {
  readonly kPoints: readonly Vec3[];
  /** Distance from the start, 1/Å; both ends of a discontinuity have the same distance. */
  readonly kDistance: readonly number[];
  readonly labels: readonly { readonly index: number; readonly label: string }[];
}

/** Minimum number of points per segment, including its start. */
export const MINIMUM_SEGMENT_POINTS = 3;

/**
 * Returns k-points distributed evenly over each segment.
 * @param density points per 1/Å
 */
export function sampleBandPath(
  { points, path, reciprocalLattice }: LabelledPath,
  density: number,
): SampledPath {
  const kPoints: Vec3[] = [];
  const kDistance: number[] = [];
  const labels: { index: number; label: string }[] = [];
  let distance = 0;
  const add = (point: Vec3, at: number): void => {
    kPoints.push(point);
    kDistance.push(at);
  };
  for (const branch of path) {
    labels.push({ index: kPoints.length, label: branch[0] });
    add(points[branch[0]], distance);
    for (let corner = 1; corner < branch.length; corner++) {
      const from = points[branch[corner - 1]];
      const step = subtract3(points[branch[corner]], from);
      const length = norm3(rowTimesMatrix3(step, reciprocalLattice));
      const pieces = Math.max(MINIMUM_SEGMENT_POINTS - 1, Math.round(length * density));
      for (let i = 1; i <= pieces; i++) {
        const share = i / pieces;
        add(
          [from[0] + share * step[0], from[1] + share * step[1], from[2] + share * step[2]],
          distance + share * length,
        );
      }
      distance += length;
      labels.push({ index: kPoints.length - 1, label: branch[corner] });
    }
  }
  return { kPoints, kDistance, labels };
}
