/**
 * Results of a calculation that are more than a number. Each has one shape for import, storage, export and
 * display.
 */
import type { PymatgenStructure, Structure } from '@unitcell/crystal';
import { type Mat3, roundTo, type Vec3 } from '@unitcell/numerics';
import { FIELD_NAMES, type FieldName, type FieldOf, fieldOf, type Scalars } from './fields/fields.ts';
import { type PlacedName, placedNames } from './places.ts';

// Decimals by unit. Derived numbers are rounded once, when they are calculated, to the precision of sources: cells have
// eight decimals of a cell edge, energies five to eight, tensors one to four. Values given by a source are never
// rounded.

const DECIMALS = {
  Å: 6,
  '°': 5,
  'Å³': 6,
  'g/cm³': 6,
  'eV/atom': 8,
  V: 8,
  GPa: 4,
  'C/m²': 6,
  K: 2,
  'm/s': 2,
  '': 6,
} as const;

export type FigureUnit = keyof typeof DECIMALS;

/** @param unit '' for fractions and dimensionless constants */
export const figure = (value: number, unit: FigureUnit): number => roundTo(value, DECIMALS[unit]);

/** Rounds each entry of a tensor. */
export const figures = <Rows extends readonly (readonly number[])[]>(rows: Rows, unit: FigureUnit): Rows =>
  rows.map((row) => row.map((value) => figure(value, unit))) as unknown as Rows;

/**
 * eV/atom. A stored energy above the hull up to this counts as zero: sources give six decimals, and sums of
 * them are rounded.
 */
export const ON_HULL = 1e-6;

/** The gap of a band structure. Energies in eV. */
export interface BandEdge {
  /** eV, on the scale of the data. */
  readonly energy: number;
  /** Index of every k-point of the path at which the energy is reached. */
  readonly kIndices: readonly number[];
}

export interface BandGap {
  readonly vbm: BandEdge;
  readonly cbm: BandEdge;
  /** eV */
  readonly width: number;
  readonly isDirect: boolean;
}

/** eV. The Fermi level of an insulator is often given as the rounded valence band maximum. */
const OCCUPATION_TOLERANCE = 1e-3;
/** eV. K-points this close to an edge belong to it: symmetry copies differ only by rounding. */
const EDGE_TOLERANCE = 1e-3;
type Energies = readonly (readonly number[])[];
const spinsOf = ({ spinUp, spinDown }: BandStructure): readonly Energies[] =>
  spinDown ? [spinUp, spinDown] : [spinUp];

/**
 * The gap along the path; null for a metal, where a band crosses the Fermi level, and if bands are missing on one side.
 */
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
  // The lists of one file may have different lengths: a band missing at one k-point may exist at another
  // k-point.
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

/**
 * Names of the scalars that a source gives; all other scalars are derived from the crystal, its energies and
 * its larger results.
 */
export type GivenName = PlacedName<'line'>;

/** The values that a source gives for a material; null means unknown. */
export type Given = Pick<Scalars, GivenName>;

/** Names that a line must contain. */
type RequiredName = {
  [Name in GivenName]: FieldOf<Name> extends { readonly isNullable: true } | { readonly lineDefault: unknown }
    ? never
    : Name;
}[GivenName];

function nothingGiven(): Omit<Given, RequiredName>;
function nothingGiven(): object {
  const known = placedNames('line').map((name): [FieldName, unknown] => [name, fieldOf(name).lineDefault]);
  return Object.fromEntries(
    known
      .filter(([name, value]) => value !== undefined || fieldOf(name).isNullable === true)
      .map(([name, value]) => [name, value ?? null]),
  );
}

/** The defaults of all fields that have one; the required values are still missing. */
export const NOTHING_GIVEN = nothingGiven();

/** Extensive fields, whose values are per cell. */
const PER_CELL: readonly FieldName[] = FIELD_NAMES.filter((name) => {
  const field = fieldOf(name);
  return field.kind === 'number' && field.per === 'cell';
});

/**
 * Converts the scalars of one cell to another cell of the crystal.
 * @param cells number of old cells in the new cell: ½ for the primitive cell of a body-centred cell
 */
export function scaledToCell<Values extends Partial<Scalars>>(scalars: Values, cells: number): Values {
  const scaled: Record<string, number> = {};
  for (const name of PER_CELL) {
    const value = scalars[name];
    if (typeof value === 'number') scaled[name] = value * cells;
  }
  return { ...scalars, ...scaled };
}

/** Energies in eV along a path of k-points. */
export interface BandStructure {
  /** Functional, such as `PBE` or `HSE`; also shown to users. */
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
  /** Rows b1, b2, b3 in 1/Å, in the frame of the cell used for the bands. */
  readonly reciprocalLattice?: Mat3;
}

/** Densities in states/eV of the cell; energies in eV. */
export interface DensityOfStates {
  readonly functional: string;
  readonly energies: readonly number[];
  readonly total: readonly number[];
  readonly totalDown?: readonly number[];
  /** Contributions to the total by element or orbital: `Ti d`. */
  readonly projected?: Readonly<Record<string, readonly number[]>>;
  readonly fermiEnergy: number;
}

/** Modes of one wave vector. */
export interface PhononPoint {
  /** Fractions of the reciprocal vectors of the structure. */
  readonly q: readonly number[];
  /** Name, if it is a point of high symmetry. */
  readonly label?: string;
  /** THz, ascending; imaginary frequencies are given as negative numbers. */
  readonly frequencies: readonly number[];
}

/** Lattice vibrations. The cell is that of the phonon calculation; results do not refer to the cells of the material. */
export interface Phonons {
  /** Functional of the calculation, also shown to users. */
  readonly functional: string;
  readonly structure: StructureJson;
  /** Repeats of the cell in the supercell used for displacements. */
  readonly supercell?: readonly number[];
  readonly bands: readonly PhononPoint[];
  /** Whether a distortion lowers the energy. */
  readonly has_imaginary_modes: boolean;
  readonly dos?: {
    /** THz */
    readonly frequencies: readonly number[];
    /** States per THz and cell. */
    readonly total: readonly number[];
    /** Contribution of each atom of the cell. */
    readonly by_atom?: readonly (readonly number[])[];
  };
  readonly thermal?: readonly {
    /** K */
    readonly temperature: number;
    /** eV per cell, including the zero-point energy. */
    readonly free_energy: number;
    /** eV/K per cell. */
    readonly entropy: number;
    /** eV/K per cell, at constant volume. */
    readonly heat_capacity: number;
  }[];
  readonly force_constants?: StoredForceConstants;
  /** Modes at the named points, if the source gives eigenvectors instead of force constants. */
  readonly modes?: readonly StoredModes[];
}

/** Motion of the atoms in all modes of a wave vector, in the order of their frequencies. */
export interface StoredModes {
  readonly q: readonly number[];
  /**
   * By mode and atom: real parts of x, y, z, then imaginary parts, times exp(2πi q·R) in the cell at R. The largest amplitude
   * of a mode is 1.
   */
  readonly displacements: readonly (readonly (readonly number[])[])[];
}

/** Force constants of the cell, from which the modes of any wave vector can be calculated. */
export interface StoredForceConstants {
  /** Rows: vectors of the supercell in the lattice vectors of the cell; whole numbers. */
  readonly supercell: Mat3;
  /** Mass of each atom of the cell in u. */
  readonly masses: readonly number[];
  /** eV/Å², in the order of `ForceConstants` of the potential package. */
  readonly values: readonly number[];
  /**
   * Data for the splitting of longitudinal and transverse modes; if present, `values` exclude the dipole interaction.
   */
  readonly charges?: {
    /** Born charges of each atom in e; rows are directions of the field. */
    readonly born: readonly Mat3[];
    readonly dielectric: Mat3;
    /** 1/Å, width of the Gaussian charges. */
    readonly damping: number;
  };
}

/** A table whose rows are objects keyed by label. */
export interface Topology {
  readonly labels: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The Cartesian axes of tensor components: either those of the original cell (`given`), used for import, storage and
 * export; or those of the idealised `standard` cells, used for display.
 */
export type Frame = 'given' | 'standard';

export type Matrix = readonly (readonly number[])[];
/** Three rows of three. */
export type Matrix3 = Mat3;

export interface Tensors<F extends Frame = Frame> {
  readonly frame: F;
  /** 6×6, GPa, Voigt order xx yy zz yz xz xy. */
  readonly elastic: Matrix | null;
  /** 3×3 relative permittivity: with clamped ions, and including the ions if known. */
  readonly dielectric: { readonly electronic: Mat3; readonly total?: Mat3 } | null;
  /** 3×6, C/m², columns in Voigt order. */
  readonly piezoelectric: Matrix | null;
}

/** Space group found by a symmetry search, with the tolerances used. */
export interface StatedGroup
  extends Pick<
    Scalars,
    'spaceGroup' | 'spaceGroupNumber' | 'hall' | 'pointGroup' | 'crystalSystem' | 'latticeType'
  > {
  /** Å, the requested tolerance. */
  readonly tolerance: number;
  /** Å, the nearest tolerance at which the operations form a group. */
  readonly symprec: number;
}

export interface Properties<F extends Frame = Frame> {
  readonly bands: readonly BandStructure[];
  readonly dos: readonly DensityOfStates[];
  readonly phonons: readonly Phonons[];
  readonly tensors: Tensors<F>;
  readonly topology: Topology | null;
}

export const NO_PROPERTIES: Properties<'given'> = {
  bands: [],
  dos: [],
  phonons: [],
  tensors: { frame: 'given', elastic: null, dielectric: null, piezoelectric: null },
  topology: null,
};

/** Flags of the search result that state which larger results a material has. */
export const propertyFlags = ({ bands, phonons, tensors, topology }: Properties) => ({
  hasBand: bands.length > 0,
  hasHse: bands.some((band) => band.functional.startsWith('HSE')),
  hasEpsilon: tensors.dielectric !== null,
  hasPiezo: tensors.piezoelectric !== null,
  hasElastic: tensors.elastic !== null,
  hasPhonons: phonons.length > 0,
  hasTopology: topology !== null,
});

const scaledBy = (factor: number) => (values: readonly number[]) => values.map((value) => value * factor);

/**
 * Converts densities of states of one cell to another cell of the crystal.
 * @param cells number of old cells in the new cell
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

/** Energies of a material on one scale. */
export interface EnergyOnScale {
  readonly functional: string;
  /** Total energy, eV/atom. */
  readonly energyPerAtom: number | null;
  /** Value as published, eV/atom. */
  readonly formationEnergyPerAtom: number | null;
  readonly source: Readonly<Record<string, unknown>>;
}

/** A material as read from a source, before symmetry analysis: the common form of all sources. */
export interface MaterialDraft {
  /** If null, the database assigns an id. */
  readonly structId: number | null;
  readonly structure: Structure;
  /** Values given by the source, for the cell of `structure`. */
  readonly given: Given;
  /** Energies; the first is on the material's own scale. */
  readonly energies: readonly EnergyOnScale[];
  /** Details of the calculation or measurement, shown under More Information. */
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly properties: Properties<'given'>;
  /**
   * Axes of the tensors, if they are not those of the cell; the tensors are rotated as soon as the symmetry is known.
   */
  readonly tensorFrame?: 'conventional' | 'ieee';
  /**
   * Whether tensors that lack the crystal's symmetry in these axes are left out and noted in the provenance;
   * otherwise the draft is refused.
   */
  readonly leaveOutTensorsOfOtherAxes?: boolean;
}

/**
 * A crystal as JSON, the only form in which structures are transmitted; written by `toPymatgenDict` and read with full
 * validation by `fromPymatgenDict` of the crystal package. It is an interface instead of an alias, so that declarations
 * of the contract refer to this package, the only one they depend on.
 */
export interface StructureJson extends PymatgenStructure {}
