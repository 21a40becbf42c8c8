/** Bands, density of states and thermal properties from force constants, as JSON. Pure; takes seconds for 50 atoms. */
import type { PhononsJson } from '@unitcell/contract/results';
import { type Structure, toRoundedPymatgenDict } from '@unitcell/crystal';
import type { StoredForceConstants } from '@unitcell/material';
import {
  IDENTITY3,
  inverse3,
  type Mat3,
  multiply3,
  roundTo,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import {
  type FinishedPhonons,
  type ForceConstants,
  hasImaginaryModes,
  IMAGINARY,
  massesOf,
  phononBands,
  phononDensity,
  type PhononMesh,
  phononMesh,
  type ThermalProperties,
  thermalProperties,
} from '@unitcell/potential';
import { type KPath, kPath, matchStructures, readableLabel } from '@unitcell/symmetry';

/** Å. The spacing of the wave-vector mesh is 2π divided by this length. */
const MESH_LENGTH = 40;
const MAX_MESH_POINTS = 14;
/** Length and points of the coarser mesh for calculations over many crystals or volumes. */
const [COARSE_LENGTH, COARSE_POINTS] = [30, 10];
/** Temperatures in K. */
export const TEMPERATURES = Array.from({ length: 31 }, (_, k) => 50 * k);

type Point = PhononsJson['bands'][number];

function meshOf({ latticeVectors }: Structure, length: number, most: number): Vec3 {
  return transpose3(inverse3(latticeVectors)).map((row) =>
    Math.min(most, Math.max(1, Math.ceil(length * Math.hypot(...row)))),
  ) as unknown as Vec3;
}

export const coarseMesh = (structure: Structure): Vec3 => meshOf(structure, COARSE_LENGTH, COARSE_POINTS);

/** Matrix from k-points of the standard cell to fractions of the reciprocal vectors of another cell of the crystal. */
function fromStandard({ primitiveStandard }: KPath, structure: Structure): Mat3 {
  const match = matchStructures(structure, primitiveStandard);
  if (!match) throw new RangeError('the cell does not match its own standard cell');
  const rotated = multiply3(structure.latticeVectors, transpose3(match.rotation));
  // The cell may be a multiple of the primitive one, never a part of it: these entries are integers.
  const multiples = multiply3(rotated, inverse3(primitiveStandard.latticeVectors));
  return transpose3(multiples).map((row) => row.map(Math.round)) as unknown as Mat3;
}

function bandsOf(constants: ForceConstants, isStandard: boolean): Point[] {
  const path = kPath(constants.structure);
  const toOwn = isStandard ? IDENTITY3 : fromStandard(path, constants.structure);
  return phononBands(constants, path, toOwn).map(({ label, ...point }) => ({
    ...point,
    ...(label === undefined ? {} : { label: readableLabel(label) }),
  }));
}

const value = (number: number): number => roundTo(number, 5);

export const thermalJson = (rows: readonly ThermalProperties[]): NonNullable<PhononsJson['thermal']> =>
  rows.map((row) => ({
    temperature: row.temperature,
    free_energy: roundTo(row.freeEnergy, 8),
    entropy: roundTo(row.entropy, 10),
    heat_capacity: roundTo(row.heatCapacity, 10),
  }));

/** Density of states and thermal properties from modes on a mesh. */
export function meshResults(mesh: PhononMesh): Required<Pick<PhononsJson, 'dos' | 'thermal'>> {
  const { frequencies, total, byAtom } = phononDensity(mesh);
  return {
    dos: {
      frequencies: frequencies.map(value),
      total: total.map(value),
      by_atom: byAtom.map((part) => part.map(value)),
    },
    thermal: thermalJson(thermalProperties(mesh, TEMPERATURES)),
  };
}

/** Whether some frequency is imaginary beyond rounding. */
export const hasImaginary = (frequencies: Iterable<number>): boolean => {
  for (const frequency of frequencies) if (frequency < IMAGINARY) return true;
  return false;
};

/** Share of the states. A density without imaginary modes has fewer below the limit, because it is smeared. */
const IMAGINARY_SHARE = 0.001;

/** Whether a density has imaginary states beyond its smearing. */
export function hasImaginaryStates({ frequencies, total }: NonNullable<FinishedPhonons['density']>): boolean {
  let [below, all] = [0, 0];
  for (let k = 1; k < frequencies.length; k++) {
    const states = ((frequencies[k]! - frequencies[k - 1]!) * (total[k]! + total[k - 1]!)) / 2;
    all += states;
    if (frequencies[k]! <= IMAGINARY) below += states;
  }
  return below > IMAGINARY_SHARE * all;
}

/** eV/Å²; this precision gives phonons to 1e-5 THz. */
const DECIMALS = 8;

/** The force constants as JSON. Their cell is the `structure` of `phononResults`. */
export const storedConstants = (constants: ForceConstants): StoredForceConstants => ({
  supercell: constants.supercell,
  masses: massesOf(constants),
  values: Array.from(constants.values, (one) => roundTo(one, DECIMALS)),
  ...(constants.charges && { charges: constants.charges }),
});

/**
 * @param isStandard whether the cell of the force constants is the standard cell to which the path's k-points
 * refer
 * @throws SymmetryError when the crystal has no path through its zone
 */
export function phononResults(
  constants: ForceConstants,
  isStandard = false,
): PhononsJson & Required<Pick<PhononsJson, 'dos' | 'thermal'>> {
  const { structure, supercell } = constants;
  const bands = bandsOf(constants, isStandard);
  const isBlock = supercell.every((row, i) => row.every((entry, j) => i === j || entry === 0));
  return {
    structure: toRoundedPymatgenDict(structure),
    ...(isBlock ? { supercell: supercell.map((row, i) => row[i] ?? 1) } : {}),
    bands,
    has_imaginary_modes: hasImaginaryModes(constants, bands),
    ...meshResults(phononMesh(constants, meshOf(structure, MESH_LENGTH, MAX_MESH_POINTS))),
  };
}
