/**
 * Volumetric data: charge densities, ELF and potentials on the grid of a cell, with the crystal they belong to.
 *
 * Formats: VASP (CHGCAR, AECCAR, PARCHG, CHG, ELFCAR, LOCPOT), Gaussian cube, and the 3D data grids of XSF and AXSF.
 * https://www.vasp.at/wiki/index.php/CHGCAR, https://gaussian.com/cubegen/, http://www.xcrysden.org/doc/XSF.html
 */
import { BOHR_RADIUS_ANGSTROM, ELEMENTS, isElementSymbol } from '@unitcell/elements';
import {
  determinant3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  type Vec3,
} from '@unitcell/numerics';
import { CrystalError } from '../error.ts';
import { orderedSite, type Site, type Structure } from '../structure.ts';
import {
  MAX_CELL_LENGTH,
  MAX_COORDINATE,
  MAX_READ_SITES,
  MAX_VOLUME_POINTS,
  MAX_VOLUME_TEXT,
} from './limits.ts';
import { NumberReader, numberOf, numbersIn } from './number-reader.ts';
import { MIN_RELATIVE_VOLUME, readPoscar } from './read-poscar.ts';
import { shown } from './text.ts';

type VolumeFormat = 'vasp' | 'cube' | 'xsf';

/**
 * What the values are: electrons per Å³, the electron localisation function (0 to 1), the potential energy of an
 * electron in eV, or unknown (the values are then unchanged, in the unit of the program that wrote them).
 */
export type VolumeQuantity = 'charge-density' | 'elf' | 'potential' | 'unknown';

export interface Volume {
  readonly quantity: VolumeQuantity;
  /** The cell that the grid divides, and the atoms in it. */
  readonly structure: Structure;
  /** Points along a, b and c. Point (i, j, k) is at the fractions i/na, j/nb and k/nc; no plane is repeated. */
  readonly gridSizes: readonly [number, number, number];
  /** The value of point (i, j, k) has the index i + na·(j + nb·k): the index along a runs fastest. */
  readonly values: Float32Array;
  /**
   * The second block of a spin-polarised calculation: for a charge density the magnetisation density (up − down,
   * μB/Å³), for an ELF or a potential the values of spin down.
   */
  readonly secondSpin?: Float32Array;
}

type Sizes = Volume['gridSizes'];

const vectorIn = (reader: NumberReader, line: string, what: string): Vec3 =>
  numbersIn(reader, line, 3, what) as unknown as Vec3;

function checkSizes(reader: NumberReader, sizes: readonly number[]): Sizes {
  if (!sizes.every((size) => Number.isInteger(size) && size > 0))
    reader.refuse(`a grid of ${sizes.join(' × ')} points; expected three whole numbers above 0`, {
      reason: 'volume-bad-grid',
      found: sizes.join(' × '),
    });
  const points = sizes[0] * sizes[1] * sizes[2];
  if (points > MAX_VOLUME_POINTS)
    throw new CrystalError('too-large', `a grid of ${points} points: at most ${MAX_VOLUME_POINTS} are read`, {
      line: reader.line,
      why: { reason: 'volume-too-many-points', found: points, limit: MAX_VOLUME_POINTS },
    });
  // Each number takes at least a character and a space, so counts that do not fit the length of the text are
  // refused before memory is allocated.
  if (points > reader.text.length)
    reader.refuse(`the file is too short for ${points} values; copy the whole file`, {
      reason: 'volume-values-missing',
      found: 0,
      expected: points,
    });
  return [sizes[0], sizes[1], sizes[2]];
}

function checkCell(reader: NumberReader, cell: Mat3): Mat3 {
  const lengths = cell.map(norm3);
  const longest = Math.max(...lengths);
  if (!(Math.abs(determinant3(cell)) > MIN_RELATIVE_VOLUME * lengths[0] * lengths[1] * lengths[2]))
    reader.refuse('the three vectors of the cell lie in a plane: the cell has no volume', {
      reason: 'flat-cell',
    });
  if (!(longest <= MAX_CELL_LENGTH))
    reader.refuse(`the longest vector of the cell has ${longest} Å; expected at most ${MAX_CELL_LENGTH} Å`, {
      reason: 'cell-too-long',
      found: longest,
      limit: MAX_CELL_LENGTH,
    });
  return cell;
}

function checkCount(reader: NumberReader, count: number): number {
  if (!Number.isInteger(count) || count < 0)
    reader.refuse(`"${count}" is no count of atoms; expected a whole number`, {
      reason: 'volume-no-number',
      found: String(count),
    });
  if (count > MAX_READ_SITES)
    throw new CrystalError('too-large', `${count} atoms: at most ${MAX_READ_SITES} sites are read`, {
      line: reader.line,
      why: { reason: 'too-many-sites', limit: MAX_READ_SITES },
    });
  return count;
}

/** An element by its symbol or number; undefined for a ghost atom (number 0). */
function elementOf(reader: NumberReader, word: string): string | undefined {
  if (word === '0' || word === 'X') return undefined;
  const element = isElementSymbol(word) ? word : ELEMENTS[Number(word) - 1]?.symbol;
  return (
    element ??
    reader.refuse(`"${shown(word)}" is no element; expected a symbol or an atomic number`, {
      reason: 'volume-unknown-element',
      found: shown(word),
    })
  );
}

function siteAt(reader: NumberReader, element: string, position: Vec3): Site {
  if (!position.every((value) => Math.abs(value) <= MAX_COORDINATE))
    reader.refuse(`an atom lies more than ${MAX_COORDINATE} cells away; expected atoms near the cell`, {
      reason: 'position-too-far',
      limit: MAX_COORDINATE,
    });
  return orderedSite(element, position);
}

// VASP

const QUANTITIES: readonly (readonly [RegExp, VolumeQuantity])[] = [
  // Does not match the letters "elf" in "self-consistent".
  [/(?<![a-z])elf/i, 'elf'],
  [/locpot/i, 'potential'],
  [/chg|aeccar/i, 'charge-density'],
];

const quantityOfName = (name: string): VolumeQuantity =>
  QUANTITIES.find(([pattern]) => pattern.test(name))?.[1] ?? 'unknown';

const AUGMENTATION = 'augmentation occupancies';

/** The header up to the empty line after the positions; the comment in line 1 may itself be empty. */
function vaspHeader(reader: NumberReader): string {
  const lines = [reader.nextLine('the comment line')];
  for (let line = reader.nextLine('the scale factor'); line !== ''; line = reader.nextLine('an empty line'))
    lines.push(line);
  return lines.join('\n');
}

/** Advances to the next line that repeats the grid sizes; false when there is none. */
function findNextBlock(reader: NumberReader, sizes: Sizes): boolean {
  while (!reader.isAtEnd) {
    const line = reader.nextLine('');
    if (line.length < 40 && line.split(/\s+/).map(Number).join() === sizes.join()) return true;
  }
  return false;
}

function readBlock(reader: NumberReader, count: number, factor: number): Float32Array {
  const values = new Float32Array(count);
  for (let place = 0; place < count; place++) values[place] = reader.nextNumber(place, count) * factor;
  return values;
}

function readVasp(text: string, fileName: string): Volume {
  const reader = new NumberReader(text);
  const { structure } = readPoscar(vaspHeader(reader));
  let line = reader.nextLine('the sizes of the grid');
  while (line === '') line = reader.nextLine('the sizes of the grid');
  const sizes = checkSizes(reader, numbersIn(reader, line, 3, 'the sizes of the grid'));
  const count = sizes[0] * sizes[1] * sizes[2];
  const named = quantityOfName(fileName);
  // Only density files contain the occupancies inside the PAW spheres.
  const quantity = named === 'unknown' && text.includes(AUGMENTATION) ? 'charge-density' : named;
  const factor = quantity === 'charge-density' ? 1 / Math.abs(determinant3(structure.latticeVectors)) : 1;
  const values = readBlock(reader, count, factor);
  const blocks: Float32Array[] = [];
  while (findNextBlock(reader, sizes)) {
    if (blocks.length === 3)
      reader.refuse('a fifth block of values; a VASP file has one, two or four', {
        reason: 'volume-too-many-blocks',
      });
    blocks.push(readBlock(reader, count, factor));
  }
  // Four blocks mean a noncollinear calculation: the density and the three components of the magnetisation.
  const second = blocks.length === 1 ? { secondSpin: blocks[0] } : {};
  return { quantity, structure, gridSizes: sizes, values, ...second };
}

/** Gaussian and CP2K write "electron density" in the comments; both use e/bohr³. */
const DENSITY_COMMENT = /(electron|charge) density/i;

function readCube(text: string): Volume {
  const reader = new NumberReader(text);
  const comments = `${reader.nextLine('a comment')} ${reader.nextLine('a comment')}`;
  const head = reader.nextLine('the number of atoms and the origin');
  const [signedAtoms, ...start] = numbersIn(reader, head, 4, 'the number of atoms and the origin');
  const perPoint = Math.max(1, Number(head.split(/\s+/)[4] ?? 1) || 1);
  const axes = ['first', 'second', 'third'].map((axis) => {
    const what = `points along the ${axis} axis and the step`;
    return numbersIn(reader, reader.nextLine(what), 4, what);
  });
  // A negative count of points means that lengths are in Å.
  const unit = axes[0][0] < 0 ? 1 : BOHR_RADIUS_ANGSTROM;
  const sizes = checkSizes(
    reader,
    axes.map(([points]) => Math.abs(points)),
  );
  const cell = checkCell(
    reader,
    axes.map(([points, ...step]) => step.map((value) => Math.abs(points) * value * unit)) as unknown as Mat3,
  );
  const toFractional = inverse3(cell);
  const sites: Site[] = [];
  for (let atom = checkCount(reader, Math.abs(signedAtoms)); atom > 0; atom--) {
    const line = reader.nextLine('an atom');
    const [number, , ...at] = numbersIn(reader, line, 5, 'an atom');
    const element = elementOf(reader, String(number));
    const fromOrigin = at.map((value, axis) => (value - start[axis]) * unit) as unknown as Vec3;
    if (element !== undefined) sites.push(siteAt(reader, element, rowTimesMatrix3(fromOrigin, toFractional)));
  }
  // Files of orbitals also contain the number and the indices of the orbitals. Each point lists the values of
  // all orbitals; only the first orbital is read.
  const orbitals = signedAtoms < 0 ? reader.nextNumber(0, 1) : 1;
  if (!Number.isInteger(orbitals) || orbitals < 1 || orbitals * perPoint > MAX_VOLUME_POINTS)
    reader.refuse(`"${orbitals}" is no number of orbitals; expected a whole number above 0`, {
      reason: 'volume-no-number',
      found: String(orbitals),
    });
  if (signedAtoms < 0)
    for (let orbital = 0; orbital < orbitals; orbital++) reader.nextNumber(orbital, orbitals);
  const isDensity = signedAtoms > 0 && DENSITY_COMMENT.test(comments);
  const factor = isDensity ? 1 / BOHR_RADIUS_ANGSTROM ** 3 : 1;
  const [na, nb, nc] = sizes;
  const values = new Float32Array(na * nb * nc);
  const inPoint = signedAtoms < 0 ? orbitals : perPoint;
  const all = values.length * inPoint;
  let place = 0;
  // The index along c runs fastest in the file.
  for (let i = 0; i < na; i++)
    for (let j = 0; j < nb; j++)
      for (let k = 0; k < nc; k++) {
        values[i + na * (j + nb * k)] = reader.nextNumber(place++, all) * factor;
        for (let further = 1; further < inPoint; further++) reader.nextNumber(place++, all);
      }
  return {
    quantity: isDensity ? 'charge-density' : 'unknown',
    structure: { latticeVectors: cell, sites },
    gridSizes: sizes,
    values,
  };
}

// XSF

interface Atom {
  readonly element: string;
  /** Cartesian, Å. */
  readonly position: Vec3;
}

function readAtoms(reader: NumberReader, count: number): Atom[] {
  const atoms: Atom[] = [];
  for (let left = count; left > 0; left--) {
    const line = reader.nextLine('an atom');
    const [word, ...rest] = line.split(/\s+/);
    const element = elementOf(reader, word);
    const position = vectorIn(reader, rest.join(' '), 'an atom');
    if (element !== undefined) atoms.push({ element, position });
  }
  return atoms;
}

/**
 * Atoms of a crystal with lattice `primitive` inside the cell of the grid, which may be larger than the
 * primitive cell.
 */
function sitesInGrid(
  reader: NumberReader,
  atoms: readonly Atom[],
  primitive: Mat3,
  cell: Mat3,
  origin: Vec3,
): Site[] {
  const toFractional = inverse3(cell);
  const fractions = atoms.map(({ element, position }) => ({
    element,
    at: rowTimesMatrix3(position.map((value, axis) => value - origin[axis]) as unknown as Vec3, toFractional),
  }));
  const steps = multiply3(primitive, toFractional);
  const isSame = steps.every((row, i) => row.every((value, j) => Math.abs(value - (i === j ? 1 : 0)) < 1e-4));
  if (isSame) return fractions.map(({ element, at }) => siteAt(reader, element, at));
  // Atoms are first wrapped into the primitive cell. Primitive cells over the extent of the grid, plus one on
  // each side, then cover it.
  const perPrimitive = inverse3(steps);
  const reach = [0, 1, 2].map((axis) =>
    Math.ceil(perPrimitive.reduce((sum, row) => sum + Math.abs(row[axis]), 0) + 1),
  );
  const images = atoms.length * reach.reduce((product, range) => product * (2 * range + 1), 1);
  checkCount(reader, Math.ceil(images / 100));
  const inside = (value: number): boolean => value > -1e-6 && value < 1 - 1e-6;
  const sites: Site[] = [];
  for (const { element, at } of fractions) {
    const home = rowTimesMatrix3(at, perPrimitive).map(
      (value) => value - Math.floor(value),
    ) as unknown as Vec3;
    for (let i = -reach[0]; i <= reach[0]; i++)
      for (let j = -reach[1]; j <= reach[1]; j++)
        for (let k = -reach[2]; k <= reach[2]; k++) {
          const image = rowTimesMatrix3([home[0] + i, home[1] + j, home[2] + k], steps);
          if (image.every(inside)) sites.push(siteAt(reader, element, image));
        }
  }
  checkCount(reader, sites.length);
  return sites;
}

const XSF_START =
  /^(CRYSTAL|SLAB|POLYMER|MOLECULE|ATOMS|ANIMSTEPS|DIM-GROUP|PRIMVEC|BEGIN_INFO|BEGIN_BLOCK_DATAGRID)/i;

function readXsf(text: string): Volume {
  const reader = new NumberReader(text);
  let primitive: Mat3 | undefined;
  let atoms: Atom[] = [];
  const nextLine = (expected: string): string => {
    let line = reader.nextLine(expected);
    while (line === '' || line.startsWith('#')) line = reader.nextLine(expected);
    return line;
  };
  const vectors = (): Mat3 =>
    ['first', 'second', 'third'].map((name) => {
      const what = `${name} vector`;
      return vectorIn(reader, nextLine(what), what);
    }) as unknown as Mat3;
  for (;;) {
    const line = nextLine('BEGIN_DATAGRID_3D: this file has no data on a grid');
    const keyword = line.split(/\s+/, 1)[0].toUpperCase();
    if (keyword === 'PRIMVEC') primitive = checkCell(reader, vectors());
    else if (keyword === 'PRIMCOORD') {
      const [count] = numbersIn(reader, nextLine('the number of atoms'), 1, 'the number of atoms');
      // An AXSF contains several steps; only the first is read.
      const read = readAtoms(reader, checkCount(reader, count));
      if (atoms.length === 0) atoms = read;
    } else if (/^(BEGIN_)?DATAGRID_3D/.test(keyword)) {
      const what = 'the sizes of the grid';
      const general = checkSizes(reader, numbersIn(reader, nextLine(what), 3, what));
      // The last plane of a general grid repeats the first plane.
      const sizes = checkSizes(
        reader,
        general.map((size) => size - 1),
      );
      const origin = vectorIn(reader, nextLine('the origin of the grid'), 'the origin of the grid');
      const cell = checkCell(reader, vectors());
      const [na, nb, nc] = sizes;
      const values = new Float32Array(na * nb * nc);
      const all = general[0] * general[1] * general[2];
      let place = 0;
      for (let k = 0; k <= nc; k++)
        for (let j = 0; j <= nb; j++)
          for (let i = 0; i <= na; i++) {
            const value = reader.nextNumber(place++, all);
            if (i < na && j < nb && k < nc) values[i + na * (j + nb * k)] = value;
          }
      return {
        quantity: 'unknown',
        structure: {
          latticeVectors: cell,
          sites: sitesInGrid(reader, atoms, primitive ?? cell, cell, origin),
        },
        gridSizes: sizes,
        values,
      };
    }
  }
}

/** The format of a text by its first lines. */
function formatOf(text: string): VolumeFormat | undefined {
  const lines = text.slice(0, 5000).split('\n', 40);
  const first = lines.find((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  if (first !== undefined && XSF_START.test(first.trim())) return 'xsf';
  const countAndVector = (line: string | undefined): boolean => {
    const words = (line ?? '').trim().split(/\s+/);
    return (
      words.length >= 4 &&
      /^[+-]?\d+$/.test(words[0]) &&
      words.slice(1, 4).every((word) => numberOf(word) !== undefined)
    );
  };
  if (lines.slice(2, 6).length === 4 && lines.slice(2, 6).every(countAndVector)) return 'cube';
  const scale = (lines[1] ?? '').trim().split(/\s+/)[0];
  return numberOf(scale) === undefined ? undefined : 'vasp';
}

/**
 * Reads the data on the grid of a VASP, cube or XSF file. The content decides the format; the file name decides the
 * quantity of a VASP file (`CHGCAR`, `ELFCAR`, `LOCPOT` …). VASP densities are divided by the volume of the cell, those
 * of Gaussian and CP2K are converted from e/bohr³. The grid is assumed to be one period of a crystal.
 * @throws CrystalError `volume` or `poscar` with the line, or `too-large`
 */
export function readVolume(text: string, fileName = ''): Volume {
  if (text.length > MAX_VOLUME_TEXT)
    throw new CrystalError(
      'too-large',
      `the text has ${text.length} characters: at most ${MAX_VOLUME_TEXT} are read`,
      {
        why: { reason: 'text-too-long', length: text.length, limit: MAX_VOLUME_TEXT },
      },
    );
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const format = formatOf(plain);
  if (format === 'xsf') return readXsf(plain);
  if (format === 'cube') return readCube(plain);
  if (format === 'vasp') return readVasp(plain, fileName);
  throw new CrystalError(
    'format',
    'the text is neither a VASP grid (CHGCAR, ELFCAR, LOCPOT), nor a Gaussian cube, nor an XSF with a 3D data grid',
    { line: 1, why: { reason: 'volume-unknown-format' } },
  );
}
