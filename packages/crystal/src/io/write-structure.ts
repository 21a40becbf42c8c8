/** The text of a structure as CIF, POSCAR or XYZ file, and of a density as cube file. */
import { determinant3, scale3, type Vec3, rowTimesMatrix3 } from '@unitcell/numerics';
import { type AsymmetricSite, asymmetricUnit, SETTING_TOLERANCE } from '../asymmetric-unit.ts';
import { type Composition, compositionOf, formulaUnits, reducedComposition } from '../composition.ts';
import { CrystalError } from '../error.ts';
import { reducedFormula, formulaOf } from '../formula.ts';
import { operationsFromHallSymbol } from '../hall-symbol.ts';
import { cellVolume, latticeParameters } from '../lattice.ts';
import { SPACE_GROUP_SETTINGS } from '../space-group-setting.ts';
import { type Structure, isOrdered, rightHanded, type Site } from '../structure.ts';
import { formatSymmetryOperation, type SymmetryOperation, wrapFraction } from '../symmetry-operation.ts';
import { BOHR_RADIUS_ANGSTROM, elementBySymbol } from '@unitcell/elements';
import type { Volume } from './read-volume.ts';

/**
 * Writes text as a CIF 1.1 value: quoted if it is one line and the quotation marks allow it, otherwise a text field;
 * never a bare word.
 *
 * International Tables G (2005), chapter 2.2: a quotation ends with its mark before white space, so a mark
 * inside a word is harmless; a text field ends with a line that starts with a semicolon; lines have at most
 * 2,048 characters, all ASCII.
 */

/** Characters on a line of a text field; the standard allows 2,048 including delimiters. */
const MAX_LINE = 2000;
/** Longer quoted values are written as text fields, which are easier to read. */
const MAX_QUOTATION = 120;

/**
 * `text` as the value of an item. Characters other than printable ASCII are written as `\u{…}` with their
 * code point; empty text is `?`, unknown.
 * @example cifText("Alice's data") // 'Alice's data' in single quotation marks
 */
export function cifText(text: string): string {
  const trimmed = text.replaceAll('\r\n', '\n').trim();
  const ascii = /^[ -~]*$/.test(trimmed) ? trimmed : Array.from(trimmed, printable).join('');
  if (ascii === '') return '?';
  if (!ascii.includes('\n') && ascii.length <= MAX_QUOTATION)
    for (const mark of ["'", '"']) if (!endsInside(ascii, mark)) return `${mark}${ascii}${mark}`;
  const lines = ascii.split('\n').flatMap(folded);
  // A line that starts with a semicolon would end the field.
  return `\n;${lines.map((line, index) => (index > 0 && line.startsWith(';') ? ` ${line}` : line)).join('\n')}\n;`;
}

function printable(character: string): string {
  if (character === '\n') return character;
  if (character === '\t') return ' ';
  const code = character.codePointAt(0)!;
  return code >= 32 && code < 127 ? character : `\\u{${code.toString(16)}}`;
}

/** Whether a quoted value with this mark would end before the end of the text. */
const endsInside = (text: string, mark: string): boolean => text.includes(`${mark} `);

function folded(line: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at === 0 || at < line.length; at += MAX_LINE) parts.push(line.slice(at, at + MAX_LINE));
  return parts;
}

/** A cell in one of the 530 tabulated settings, such as the conventional cell of a catalogue. */
export interface CifSetting {
  readonly hallSymbol: string;
  /** Wyckoff letter of each site of the structure. */
  readonly wyckoffs?: readonly string[];
  /**
   * The result of `asymmetricUnit` for the structure and the operations, if it was already computed for a right-handed
   * cell.
   */
  readonly unit?: readonly AsymmetricSite[];
}

/** Source of the data; written as `_unitcell_source`, `_unitcell_licence` and so on. */
export interface CifProvenance {
  readonly source?: string;
  readonly licence?: string;
  /** Release of the website's derived data. */
  readonly release?: string;
  /** Address of the entry that the file was taken from. */
  readonly address?: string;
}

export interface WriteCifOptions {
  /** Name of the data block; the reduced formula by default. */
  readonly name?: string;
  /** Tabulated setting of the cell. If it is absent, all sites are written in P 1. */
  readonly setting?: CifSetting;
  readonly provenance?: CifProvenance;
}

const IDENTITY_ONLY = [cifText('x,y,z')];
/** Decimals of coordinates, lengths (Å) and angles (degrees). Values read back agree within 1e-10. */
const CIF_DECIMALS = 10;

const fixed = (value: number): string => value.toFixed(CIF_DECIMALS);

/** A coordinate that is still in [0, 1) after rounding. */
const coordinateText = (value: number): string => {
  const text = fixed(wrapFraction(value));
  return text === fixed(1) ? fixed(0) : text;
};

/**
 * Replaces blanks and special characters in block names: CIF forbids blanks, and not every program accepts
 * other characters.
 */
function blockName(text: string): string {
  return text.replace(/[^A-Za-z0-9_.()+-]/gu, '_').slice(0, 70) || 'structure';
}

/** The operations in the reversed axes: W is unchanged, w changes its sign. */
const reversed = ({ rotation, translation }: SymmetryOperation): SymmetryOperation => ({
  rotation,
  translation: translation.map((value) => wrapFraction(-value)) as unknown as Vec3,
});

/** Elements in Hill's order as CIF requires: C and H first if there is carbon, then alphabetical. */
function formulaSum(composition: Composition): string {
  const reduced = reducedComposition(composition);
  const rank = (element: string): string => {
    if (!('C' in reduced)) return element;
    return element === 'C' ? ' 0' : element === 'H' ? ' 1' : element;
  };
  return Object.entries(reduced)
    .sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
    .map(([element, amount]) => `${element}${amount === 1 ? '' : Math.round(amount * 1e4) / 1e4}`)
    .join(' ');
}

const SETTING_BY_HALL = new Map(SPACE_GROUP_SETTINGS.map((setting) => [setting.hallSymbol, setting]));

/** The operations and symbols of a tabulated setting. */
function symmetryOfSetting(hallSymbol: string) {
  const setting = SETTING_BY_HALL.get(hallSymbol);
  if (!setting)
    throw new CrystalError(
      'symmetry',
      `"${hallSymbol.slice(0, 60)}" is no Hall symbol of a tabulated setting; expected one such as "-P 2ac 2n"`,
    );
  const { number, choice, symbol, fullSymbol } = setting;
  const isMonoclinic = number >= FIRST_MONOCLINIC && number <= LAST_MONOCLINIC;
  return {
    operations: operationsFromHallSymbol(hallSymbol),
    // The full symbol of a monoclinic setting names the unique axis; in other settings the choice of origin
    // or axes follows a colon.
    symbol: isMonoclinic ? fullSymbol : /^[12HR]$/.test(choice) ? `${symbol} :${choice}` : symbol,
    number,
  };
}

const FIRST_MONOCLINIC = 3;
const LAST_MONOCLINIC = 15;

function atomLines(unit: readonly AsymmetricSite[], wyckoffs?: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return unit.flatMap(({ site, multiplicity, members }) =>
    site.species.map(({ element, occupancy }) => {
      const count = (counts.get(element) ?? 0) + 1;
      counts.set(element, count);
      const position = site.fractionalCoords.map(coordinateText).join(' ');
      const letter = wyckoffs ? ` ${wyckoffs[members[0]]}` : '';
      return `${element}${count} ${element} ${multiplicity}${letter} ${position} ${Math.round(occupancy * 1e8) / 1e8}`;
    }),
  );
}

/** Cache of operation texts: all crystals with the same Hall symbol share one array of operations. */
const writtenOperations = new WeakMap<readonly SymmetryOperation[], readonly string[]>();

function operationLines(operations: readonly SymmetryOperation[]): readonly string[] {
  const known = writtenOperations.get(operations);
  if (known) return known;
  const lines = operations.map((operation) => cifText(formatSymmetryOperation(operation)));
  writtenOperations.set(operations, lines);
  return lines;
}

const provenanceLines = ({ source, licence, release, address }: CifProvenance): readonly string[] =>
  Object.entries({ source, licence, release, address }).flatMap(([item, text]) =>
    text === undefined || text.trim() === '' ? [] : [`_unitcell_${item} ${cifText(text)}`],
  );

/**
 * The structure as one CIF data block. With `setting` only one site of every orbit is written. `readCif`
 * reads it back as the same structure, with sites modulo lattice translations and the cell in its standard orientation.
 * @throws CrystalError `structure` for a structure without sites, `symmetry` when the operations are not
 * symmetries of the structure
 * @example writeCif(conventional.structure, { setting: { hallSymbol: '-C 2y', wyckoffs: conventional.wyckoffs
 * } })
 */
export function writeCif(structure: Structure, options: WriteCifOptions = {}): string {
  if (structure.sites.length === 0)
    throw new CrystalError('structure', 'the structure has no sites; CIF needs atoms');
  const { setting } = options;
  const symmetry = setting && symmetryOfSetting(setting.hallSymbol);
  const isReversed = determinant3(structure.latticeVectors) < 0;
  // A CIF describes a right-handed cell by lengths and angles.
  const cell = rightHanded(structure);
  const operations = isReversed ? symmetry?.operations.map(reversed) : symmetry?.operations;
  const known = isReversed ? undefined : setting?.unit;
  const unit = operations
    ? (known ?? asymmetricUnit(cell, operations, SETTING_TOLERANCE))
    : cell.sites.map((site, index) => ({ site, multiplicity: 1, members: [index] }));
  const { a, b, c, alpha, beta, gamma } = latticeParameters(cell.latticeVectors);
  const composition = compositionOf(structure);
  const lines = [
    `data_${blockName(options.name ?? reducedFormula(composition))}`,
    ...provenanceLines(options.provenance ?? {}),
    `_cell_length_a ${fixed(a)}`,
    `_cell_length_b ${fixed(b)}`,
    `_cell_length_c ${fixed(c)}`,
    `_cell_angle_alpha ${fixed(alpha)}`,
    `_cell_angle_beta ${fixed(beta)}`,
    `_cell_angle_gamma ${fixed(gamma)}`,
    `_cell_volume ${fixed(cellVolume(cell.latticeVectors))}`,
    `_cell_formula_units_Z ${Math.max(1, Math.round(formulaUnits(composition)))}`,
    `_chemical_formula_sum ${cifText(formulaSum(composition))}`,
    `_symmetry_space_group_name_H-M ${cifText(symmetry?.symbol ?? 'P 1')}`,
    `_symmetry_Int_Tables_number ${symmetry?.number ?? 1}`,
    ...(setting ? [`_symmetry_space_group_name_Hall ${cifText(setting.hallSymbol)}`] : []),
    'loop_',
    '_symmetry_equiv_pos_as_xyz',
    ...(operations ? operationLines(operations) : IDENTITY_ONLY),
    'loop_',
    '_atom_site_label',
    '_atom_site_type_symbol',
    '_atom_site_symmetry_multiplicity',
    ...(setting?.wyckoffs ? ['_atom_site_Wyckoff_symbol'] : []),
    '_atom_site_fract_x',
    '_atom_site_fract_y',
    '_atom_site_fract_z',
    '_atom_site_occupancy',
    ...atomLines(unit, setting?.wyckoffs),
  ];
  return `${lines.join('\n')}\n`;
}

// POSCAR text (VASP 5) of an ordered structure.

/** With this many decimals a double between 0 and 1 keeps its last digit. */
const POSCAR_DECIMALS = 16;

export interface WritePoscarOptions {
  /** Comment line; the formula of the cell by default. */
  readonly name?: string;
}

const poscarRow = (values: readonly number[]): string =>
  values.map((value) => value.toFixed(POSCAR_DECIMALS).padStart(22)).join(' ');

const oneLine = (text: string): string => text.replaceAll('\r', ' ').replaceAll('\n', ' ').trim();

/** Sites grouped by element, in order of first appearance, because each element has one POTCAR. */
function groupedByElement(sites: readonly Site[]): ReadonlyMap<string, readonly Site[]> {
  const groups = new Map<string, Site[]>();
  for (const site of sites) {
    const [{ element }] = site.species;
    const group = groups.get(element);
    if (group) group.push(site);
    else groups.set(element, [site]);
  }
  return groups;
}

/**
 * The structure as POSCAR with direct coordinates and sites grouped by element. `readPoscar` reads it back as the same
 * structure up to the order of the sites.
 * @throws CrystalError `structure` when a site is shared or partly empty, which POSCAR cannot express
 */
export function writePoscar(structure: Structure, options: WritePoscarOptions = {}): string {
  if (structure.sites.length === 0)
    throw new CrystalError('structure', 'the structure has no sites; POSCAR needs atoms');
  if (!isOrdered(structure))
    throw new CrystalError(
      'structure',
      'the structure has shared or partly empty sites, which POSCAR cannot say; write a CIF or choose an ordered model',
    );
  const groups = groupedByElement(structure.sites);
  const lines = [
    oneLine(options.name ?? '') || formulaOf(compositionOf(structure)),
    '1.0',
    ...structure.latticeVectors.map(poscarRow),
    [...groups.keys()].join(' '),
    [...groups.values()].map((sites) => sites.length).join(' '),
    'Direct',
    ...[...groups].flatMap(([element, sites]) =>
      sites.map((site) => `${poscarRow(site.fractionalCoords)} ${element}`),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

// Extended XYZ text of an ordered structure: the number of atoms, a line of `key=value` with the cell, a line per atom.
// @see https://github.com/libAtoms/extxyz, the format as ASE and OVITO read it

/** Å; the same precision as the lengths of a CIF. */
const XYZ_DECIMALS = 10;

export interface WriteXyzOptions {
  /** Further keys of the second line, written as quoted text. */
  readonly info?: Readonly<Record<string, string>>;
}

const xyzRow = (values: readonly number[]): string =>
  values.map((value) => value.toFixed(XYZ_DECIMALS)).join(' ');

/** Quotes and line ends would end the text early. */
const quoted = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll(/[\r\n]+/g, ' ')}"`;

/**
 * The structure as extended XYZ with Cartesian coordinates in Å, in the frame of its lattice vectors.
 * @throws CrystalError `structure` when it has no sites, or a site is shared or partly empty, which XYZ
 * cannot express
 */
export function writeXyz({ latticeVectors, sites }: Structure, { info = {} }: WriteXyzOptions = {}): string {
  if (sites.length === 0) throw new CrystalError('structure', 'the structure has no sites; XYZ needs atoms');
  if (!isOrdered({ latticeVectors, sites }))
    throw new CrystalError(
      'structure',
      'the structure has shared or partly empty sites, which XYZ cannot say',
    );
  const keys = [
    `Lattice="${latticeVectors.map(xyzRow).join(' ')}"`,
    'Properties=species:S:1:pos:R:3',
    'pbc="T T T"',
    ...Object.entries(info).map(([key, text]) => `${key}=${quoted(text)}`),
  ];
  const atoms = sites.map(
    ({ species: [{ element }], fractionalCoords }) =>
      `${element} ${xyzRow(rowTimesMatrix3(fractionalCoords, latticeVectors))}`,
  );
  return `${[sites.length, keys.join(' '), ...atoms].join('\n')}\n`;
}

const VALUES_PER_LINE = 6;

/**
 * Writes a charge density as a Gaussian cube file: lengths in bohr, values in e/bohr³, the index along c fastest.
 * `readVolume` reads it back.
 * @param volume values in e/Å³
 * @param title first line; line breaks become blanks
 */
export function writeCube({ structure, gridSizes, values }: Volume, title: string): string {
  const { latticeVectors, sites } = structure;
  const [na, nb, nc] = gridSizes;
  const number = (value: number): string => value.toFixed(6).padStart(12);
  const lines = [
    title.replaceAll(/\s+/g, ' '),
    'Electron density, e/bohr^3',
    [String(sites.length).padStart(5), ...[0, 0, 0].map(number)].join(' '),
    ...latticeVectors.map((vector, axis) => {
      const step = scale3(vector, 1 / (gridSizes[axis] * BOHR_RADIUS_ANGSTROM));
      return [String(gridSizes[axis]).padStart(5), ...step.map(number)].join(' ');
    }),
    ...sites.map(({ species, fractionalCoords }) => {
      const { number: charge } = elementBySymbol(species[0].element);
      const place = scale3(rowTimesMatrix3(fractionalCoords, latticeVectors), 1 / BOHR_RADIUS_ANGSTROM);
      return [String(charge).padStart(5), number(charge), ...place.map(number)].join(' ');
    }),
  ];
  const perBohr3 = BOHR_RADIUS_ANGSTROM ** 3;
  for (let i = 0; i < na; i++)
    for (let j = 0; j < nb; j++)
      for (let k = 0; k < nc; k += VALUES_PER_LINE) {
        const row = Array.from({ length: Math.min(VALUES_PER_LINE, nc - k) }, (_, at) =>
          (values[i + na * (j + nb * (k + at))] * perBohr3).toExponential(5),
        );
        lines.push(row.join(' '));
      }
  return `${lines.join('\n')}\n`;
}
