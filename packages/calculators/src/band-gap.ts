/** Decides from eigenvalues whether a crystal is a metal or an insulator, and finds the gap. */
import type { Vec3 } from '@unitcell/numerics';
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
