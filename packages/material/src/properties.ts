/** Results of a calculation that are more than a number. One shape each: imported, stored, exported and shown as it is. */
import type { PymatgenStructure, Structure } from '@unitcell/crystal';
import { type Mat3, roundTo, type Vec3 } from '@unitcell/numerics';
import { FIELD_NAMES, type FieldName, type FieldOf, fieldOf, type Scalars } from './fields/fields.ts';
import { type PlacedName, placedNames } from './places.ts';

// Figures that follow from what a source gives are rounded once, where they are calculated, to what it carries: cells have eight
// decimals of a cell edge, energies five to eight, tensors one to four. What a source itself gives is never rounded.

/** Decimals by unit. */
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

/** @param unit '' for shares and constants without one */
export const figure = (value: number, unit: FigureUnit): number => roundTo(value, DECIMALS[unit]);

/** The same of each entry of a tensor. */
export const figures = <Rows extends readonly (readonly number[])[]>(rows: Rows, unit: FigureUnit): Rows =>
  rows.map((row) => row.map((value) => figure(value, unit))) as unknown as Rows;

/** The gap of a band structure. Energies in eV. */
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

/** The scalars a source gives; all others are derived from the crystal, its energies and its larger results. */
export type GivenName = PlacedName<'line'>;

/** What a source says of a material; null is unknown. */
export type Given = Pick<Scalars, GivenName>;

/** Names without which a line is refused. */
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

/** What a source says that says nothing: what every source has to say is missing here. */
export const NOTHING_GIVEN = nothingGiven();

/** Fields whose values grow with the cell. */
const PER_CELL: readonly FieldName[] = FIELD_NAMES.filter((name) => {
  const field = fieldOf(name);
  return field.kind === 'number' && field.per === 'cell';
});

/**
 * Scalars of one cell → the same of another cell of the crystal.
 * @param cells how many of the old cells the new one holds: ½ for the primitive cell of a body-centred one.
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

/** A material as it was read from a source, before symmetry: the one form all sources are brought to. */
export interface EnergyOnScale {
  readonly functional: string;
  /** Total energy, eV/atom. */
  readonly energyPerAtom: number | null;
  /** As published, eV/atom. */
  readonly formationEnergyPerAtom: number | null;
  readonly source: Readonly<Record<string, unknown>>;
}

export interface MaterialDraft {
  /** null: the database chooses one. */
  readonly structId: number | null;
  readonly structure: Structure;
  /** What the source says, of the cell of `structure`. */
  readonly given: Given;
  /** The first is the material's own scale. */
  readonly energies: readonly EnergyOnScale[];
  /** What was run or measured, shown under More Information. */
  readonly provenance: Readonly<Record<string, unknown>>;
  readonly properties: Properties<'given'>;
  /** Axes that the tensors came in, when not those of the cell: they are turned once its symmetry is known. */
  readonly tensorFrame?: 'conventional' | 'ieee';
  /** Tensors without the symmetry of the crystal in those axes are left out, with a word in the provenance; else the draft is refused. */
  readonly leaveOutTensorsOfOtherAxes?: boolean;
}

// A crystal as JSON, the one form in which structures travel: `toPymatgenDict` and `fromPymatgenDict` of the crystal
// package write and read it, the latter with everything checked.

/** An interface and not an alias: declarations of the contract then name this package, the only one they depend on. */
export interface StructureJson extends PymatgenStructure {}
