/**
 * CIF 1.1 text of a structure, with or without symmetry.
 */
import { determinant3, type Mat3, scale3, type Vec3 } from '@unitcell/numerics';
import { type AsymmetricSite, asymmetricUnit } from '../asymmetric-unit.ts';
import { compositionOf, formulaUnits, reducedComposition } from '../composition.ts';
import { CrystalError } from '../error.ts';
import { reducedFormula } from '../formula.ts';
import { cellVolume, latticeParameters } from '../lattice.ts';
import type { Structure } from '../structure.ts';
import { formatSymmetryOperation, type SymmetryOperation, wrapFraction } from '../symmetry-operation.ts';

export interface CifSymmetry {
  /** All operations of the cell as it is written, centring translations included. */
  readonly operations: readonly SymmetryOperation[];
  /** Hermann-Mauguin symbol: `P n m a`. */
  readonly symbol: string;
  /** 1 to 230 */
  readonly number: number;
  /** Å, see `asymmetricUnit`. */
  readonly tolerance?: number;
}

export interface WriteCifOptions {
  /** Name of the data block; the reduced formula by default. */
  readonly name?: string;
  /** Without it all sites are written in P 1. */
  readonly symmetry?: CifSymmetry;
}

const IDENTITY_ONLY = ['x,y,z'];
/** Decimals of coordinates, lengths (Å) and angles (degrees): read back within 1e-10. */
const DECIMALS = 10;

const fixed = (value: number): string => value.toFixed(DECIMALS);

/** A coordinate in [0, 1) also after rounding. */
const coordinateText = (value: number): string => {
  const text = fixed(wrapFraction(value));
  return text === fixed(1) ? fixed(0) : text;
};

/** Block names hold no blanks; other characters than these could not be read by every program. */
function blockName(text: string): string {
  const allowed = Array.from(text, (character) =>
    /[A-Za-z0-9_.()+-]/.test(character) ? character : '_',
  ).join('');
  return allowed.slice(0, 70) || 'structure';
}

const quoted = (text: string): string =>
  `'${text.replaceAll("'", '').replaceAll('\n', ' ').replaceAll('\r', ' ')}'`;

/**
 * Lengths and angles describe a right-handed cell. Turning all three axes round makes one of a left-handed cell,
 * with the same atoms in space.
 */
function rightHanded({ latticeVectors, sites }: Structure): Structure {
  if (determinant3(latticeVectors) > 0) return { latticeVectors, sites };
  return {
    latticeVectors: latticeVectors.map((row) => scale3(row, -1)) as unknown as Mat3,
    sites: sites.map((site) => ({ ...site, fractionalCoords: scale3(site.fractionalCoords, -1) })),
  };
}

/** The operations in the reversed axes: W stays, w changes its sign. */
const reversed = ({ rotation, translation }: SymmetryOperation): SymmetryOperation => ({
  rotation,
  translation: translation.map((value) => wrapFraction(-value)) as unknown as Vec3,
});

/** Elements in Hill's order as CIF asks: C and H first when there is carbon, then the alphabet. */
function formulaSum(structure: Structure): string {
  const reduced = reducedComposition(compositionOf(structure));
  const rank = (element: string): string => {
    if (!('C' in reduced)) return element;
    return element === 'C' ? ' 0' : element === 'H' ? ' 1' : element;
  };
  return Object.entries(reduced)
    .sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
    .map(([element, amount]) => `${element}${amount === 1 ? '' : Math.round(amount * 1e4) / 1e4}`)
    .join(' ');
}

function atomLines(unit: readonly AsymmetricSite[]): readonly string[] {
  const counts = new Map<string, number>();
  return unit.flatMap(({ site, multiplicity }) =>
    site.species.map(({ element, occupancy }) => {
      const count = (counts.get(element) ?? 0) + 1;
      counts.set(element, count);
      const position = site.fractionalCoords.map(coordinateText).join(' ');
      return `${element}${count} ${element} ${multiplicity} ${position} ${Math.round(occupancy * 1e8) / 1e8}`;
    }),
  );
}

/**
 * The structure as one CIF data block. With `symmetry` only one site of every orbit is written.
 * `readCif` of it is the same structure: sites modulo lattice translations, the cell in its standard orientation.
 * @throws CrystalError `structure` for a structure without sites, `symmetry` when the operations are not its own
 */
export function writeCif(structure: Structure, options: WriteCifOptions = {}): string {
  if (structure.sites.length === 0)
    throw new CrystalError('structure', 'the structure has no sites; CIF needs atoms');
  const { symmetry } = options;
  const isReversed = determinant3(structure.latticeVectors) < 0;
  const cell = rightHanded(structure);
  const operations = symmetry?.operations.map((operation) => (isReversed ? reversed(operation) : operation));
  const unit = operations
    ? asymmetricUnit(cell, operations, symmetry?.tolerance)
    : cell.sites.map((site) => ({ site, multiplicity: 1 }));
  const { a, b, c, alpha, beta, gamma } = latticeParameters(cell.latticeVectors);
  const composition = compositionOf(structure);
  const lines = [
    `data_${blockName(options.name ?? reducedFormula(composition))}`,
    `_cell_length_a ${fixed(a)}`,
    `_cell_length_b ${fixed(b)}`,
    `_cell_length_c ${fixed(c)}`,
    `_cell_angle_alpha ${fixed(alpha)}`,
    `_cell_angle_beta ${fixed(beta)}`,
    `_cell_angle_gamma ${fixed(gamma)}`,
    `_cell_volume ${fixed(cellVolume(cell.latticeVectors))}`,
    `_cell_formula_units_Z ${Math.max(1, Math.round(formulaUnits(composition)))}`,
    `_chemical_formula_sum ${quoted(formulaSum(structure))}`,
    `_symmetry_space_group_name_H-M ${quoted(symmetry?.symbol ?? 'P 1')}`,
    `_symmetry_Int_Tables_number ${symmetry?.number ?? 1}`,
    'loop_',
    '_symmetry_equiv_pos_as_xyz',
    ...(operations?.map(formatSymmetryOperation) ?? IDENTITY_ONLY).map(quoted),
    'loop_',
    '_atom_site_label',
    '_atom_site_type_symbol',
    '_atom_site_symmetry_multiplicity',
    '_atom_site_fract_x',
    '_atom_site_fract_y',
    '_atom_site_fract_z',
    '_atom_site_occupancy',
    ...atomLines(unit),
  ];
  return `${lines.join('\n')}\n`;
}
