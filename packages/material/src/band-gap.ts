/** The gap of a band structure. Energies in eV. */
import type { BandStructure } from './properties.ts';

export interface BandEdge {
  /** eV, on the scale of the data. */
  readonly energy: number;
  /** Every k-point of the path at which it is reached. */
  readonly kIndices: readonly number[];
}

export interface BandGap {
  readonly vbm: BandEdge;
  readonly cbm: BandEdge;
  /** eV */
  readonly width: number;
  readonly isDirect: boolean;
}

/** eV. Fermi levels of insulators are often given as the valence band maximum, rounded. */
const OCCUPATION_TOLERANCE = 1e-3;
/** eV. K-points this close to an edge share it: symmetry copies differ by rounding only. */
const EDGE_TOLERANCE = 1e-3;
type Energies = readonly (readonly number[])[];
const spinsOf = ({ spinUp, spinDown }: BandStructure): readonly Energies[] =>
  spinDown ? [spinUp, spinDown] : [spinUp];

/** The gap along the path; null for a metal, where a band crosses the Fermi level, and without bands on both sides. */
export function bandGap(bands: BandStructure): BandGap | null {
  const level = bands.fermiEnergy + OCCUPATION_TOLERANCE;
  const extremes = spinsOf(bands).flatMap(bandExtremes);
  if (extremes.some(({ lowest, highest }) => lowest <= level && highest > level)) return null;
  const below = Math.max(...extremes.filter(({ highest }) => highest <= level).map(({ highest }) => highest));
  const above = Math.min(...extremes.filter(({ lowest }) => lowest > level).map(({ lowest }) => lowest));
  if (!Number.isFinite(below) || !Number.isFinite(above)) return null;
  const vbm = { energy: below, kIndices: kIndicesAt(bands, below) };
  const cbm = { energy: above, kIndices: kIndicesAt(bands, above) };
  const isDirect = vbm.kIndices.some((index) => cbm.kIndices.includes(index));
  return { vbm, cbm, width: above - below, isDirect };
}

function bandExtremes(energies: Energies): { lowest: number; highest: number }[] {
  // Rows of one file may have different lengths: what one k-point lacks, another has.
  return Array.from({ length: Math.max(0, ...energies.map(({ length }) => length)) }, (_, band) => {
    const values = energies.map((row) => row[band] ?? Number.NaN).filter(Number.isFinite);
    return { lowest: Math.min(...values), highest: Math.max(...values) };
  });
}

const kIndicesAt = (bands: BandStructure, energy: number): number[] =>
  bands.kDistance.flatMap((_, index) =>
    spinsOf(bands).some((energies) =>
      energies[index]?.some((value) => Math.abs(value - energy) <= EDGE_TOLERANCE),
    )
      ? [index]
      : [],
  );
