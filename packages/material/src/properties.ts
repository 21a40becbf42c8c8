/** Results of a calculation that are more than a number. One shape each: imported, stored, exported and shown as it is. */
import type { Mat3, Vec3 } from '@unitcell/numerics';
import type { Scalars } from './fields/fields.ts';

/** Energies in eV along a path of k-points. */
export interface BandStructure {
  /** `PBE`, `HSE` …, also where it is shown. */
  readonly functional: string;
  /** Fractional coordinates in `reciprocalLattice`. */
  readonly kPoints: readonly Vec3[];
  /** Names of k-points by their index. */
  readonly labels: readonly { readonly index: number; readonly label: string }[];
  /** Distance of each k-point along the path, 1/Å. */
  readonly kDistance: readonly number[];
  /** One list of band energies per k-point. */
  readonly spinUp: readonly (readonly number[])[];
  readonly spinDown?: readonly (readonly number[])[];
  readonly fermiEnergy: number;
  /** Rows b1, b2, b3, 1/Å, in the frame of the cell the bands were calculated for. */
  readonly reciprocalLattice?: Mat3;
}

/** Densities in states/eV of the cell; energies in eV. */
export interface DensityOfStates {
  readonly functional: string;
  readonly energies: readonly number[];
  readonly total: readonly number[];
  readonly totalDown?: readonly number[];
  /** Parts of the total by element or orbital: `Ti d`. */
  readonly projected?: Readonly<Record<string, readonly number[]>>;
  readonly fermiEnergy: number;
}

/** A table: rows are objects keyed by label. */
export interface Topology {
  readonly labels: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The Cartesian axes that components refer to: those of the cell as it was `given`, in which results are imported, stored and
 * exported; or those of the idealised `standard` cells, in which they are shown.
 */
export type Frame = 'given' | 'standard';

export type Matrix = readonly (readonly number[])[];
/** Three rows of three. */
export type Matrix3 = Mat3;

export interface Tensors<F extends Frame = Frame> {
  readonly frame: F;
  /** 6×6, GPa, Voigt order xx yy zz yz xz xy. */
  readonly elastic: Matrix | null;
  /** 3×3 relative permittivity: clamped ions, and with the ions when that is known. */
  readonly dielectric: { readonly electronic: Mat3; readonly total?: Mat3 } | null;
  /** 3×6, C/m², columns in Voigt order. */
  readonly piezoelectric: Matrix | null;
}

/** The symmetry a search states at a tolerance. */
export interface StatedGroup
  extends Pick<
    Scalars,
    'spaceGroup' | 'spaceGroupNumber' | 'hall' | 'pointGroup' | 'crystalSystem' | 'latticeType'
  > {
  /** Å, asked for. */
  readonly tolerance: number;
  /** Å, the nearest to it at which the operations form a group. */
  readonly symprec: number;
}

export interface Properties<F extends Frame = Frame> {
  readonly bands: readonly BandStructure[];
  readonly dos: readonly DensityOfStates[];
  readonly tensors: Tensors<F>;
  readonly topology: Topology | null;
}

export const NO_PROPERTIES: Properties<'given'> = {
  bands: [],
  dos: [],
  tensors: { frame: 'given', elastic: null, dielectric: null, piezoelectric: null },
  topology: null,
};

/** Which larger results a material has, as the search says it. */
export const propertyFlags = ({ bands, tensors, topology }: Properties) => ({
  hasBand: bands.length > 0,
  hasHse: bands.some((band) => band.functional.startsWith('HSE')),
  hasEpsilon: tensors.dielectric !== null,
  hasPiezo: tensors.piezoelectric !== null,
  hasElastic: tensors.elastic !== null,
  hasTopology: topology !== null,
});

const scaledBy = (factor: number) => (values: readonly number[]) => values.map((value) => value * factor);

/**
 * Densities of states of one cell → those of another cell of the crystal.
 * @param cells how many of the old cells the new one holds
 */
export function densityOfCells(density: DensityOfStates, cells: number): DensityOfStates {
  if (cells === 1) return density;
  const scale = scaledBy(cells);
  const { totalDown, projected } = density;
  return {
    ...density,
    total: scale(density.total),
    ...(totalDown ? { totalDown: scale(totalDown) } : {}),
    ...(projected
      ? {
          projected: Object.fromEntries(Object.entries(projected).map(([key, part]) => [key, scale(part)])),
        }
      : {}),
  };
}
