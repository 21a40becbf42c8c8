/**
 * Force constants from the derivative database of ABINIT (DDB): second derivatives of the energy at wave vectors of the irreducible
 * part of a regular grid, Born charges and the dielectric tensor. Conventions: X. Gonze and C. Lee, Phys. Rev. B 55, 10355 (1997).
 */
import type { Structure } from '@unitcell/crystal';
import { BOHR_RADIUS_ANGSTROM, ELEMENTS, HARTREE_EV } from '@unitcell/elements';
import {
  determinant3,
  dot3,
  inverse3,
  type Mat3,
  multiply3,
  rowTimesMatrix3,
  scale3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import {
  type ComplexMatrix,
  defaultDamping,
  dipoleInteraction,
  neutral,
  toRealSpace,
} from '../dipole-interaction.ts';
import { type DipoleCharges, diagonal, type ForceConstants, obeySumRule } from '../force-constants.ts';
import { magneticOperations, type Moment, type SiteOperation, siteOperations } from '../site-symmetry.ts';
import { assertGridSize, Lines, MOST_ATOMS, refuseFile, toNumber, wordsOf } from './file-error.ts';
import type { CrystalTools } from './phonopy.ts';

const FILE = 'DDB';
/** Fractions; wave vectors closer than this are equal. */
const SAME = 1e-5;
const LARGEST_GRID = 16;
/** Longer lines are not checked for a headline. */
const LONGEST_HEADLINE = 200;

interface Header {
  readonly structure: Structure;
  readonly masses: readonly number[];
  /** Initial magnetic moments. Without them ABINIT takes the crystal for nonmagnetic. */
  readonly moments: readonly Moment[];
  /** Charges of the ionic cores, e. */
  readonly cores: readonly number[];
}

/**
 * Second derivatives at a wave vector, in reduced coordinates, Ha. Perturbations with indices beyond the atoms
 * are fields.
 */
interface Block {
  readonly q: Vec3;
  readonly entries: ReadonlyMap<string, readonly [re: number, im: number]>;
}

const keyOf = (direction: number, perturbation: number, direction2: number, perturbation2: number): string =>
  `${direction},${perturbation},${direction2},${perturbation2}`;

/**
 * The variables of the header: a name at the start of a line, followed by its numbers on this line and the next
 * ones.
 */
function variablesOf(lines: Lines): ReadonlyMap<string, readonly number[]> {
  const variables = new Map<string, number[]>();
  let current: number[] | undefined;
  for (;;) {
    const line = lines.next();
    if (line === undefined || /Description of the potentials|Database of total energy/.test(line)) break;
    const [first = '', ...rest] = wordsOf(line);
    const isName = /^[a-z][a-z0-9_]*$/i.test(first) && Number.isNaN(Number(first));
    if (isName) variables.set(first, (current = []));
    for (const word of isName ? rest : [first, ...rest]) {
      const value = Number(word.replace(/[dD]/, 'e'));
      if (Number.isFinite(value)) current?.push(value);
    }
  }
  return variables;
}

function headerOf(lines: Lines): Header {
  const variables = variablesOf(lines);
  const numbers = (name: string, count: number): readonly number[] => {
    const found = variables.get(name) ?? [];
    return found.length >= count
      ? found.slice(0, count)
      : refuseFile(FILE, `${name}: expected ${count} numbers, found ${found.length}`);
  };
  const [atoms] = numbers('natom', 1);
  const [types] = numbers('ntypat', 1);
  if (!(Number.isInteger(atoms) && atoms >= 1 && atoms <= MOST_ATOMS.cell))
    refuseFile(FILE, `${atoms} atoms: expected 1 to ${MOST_ATOMS.cell}`);
  if (!(Number.isInteger(types) && types >= 1 && types <= atoms)) refuseFile(FILE, `${types} types of atoms`);
  const lengths = numbers('acell', 3);
  const directions = numbers('rprim', 9);
  const row = (k: number): Vec3 =>
    scale3(
      [directions[3 * k], directions[3 * k + 1], directions[3 * k + 2]],
      lengths[k] * BOHR_RADIUS_ANGSTROM,
    );
  const latticeVectors: Mat3 = [row(0), row(1), row(2)];
  if (!(Math.abs(determinant3(latticeVectors)) > 1e-3)) refuseFile(FILE, 'the cell has no volume');
  const kinds = numbers('typat', atoms);
  const [nuclei, weights, cores] = [numbers('znucl', types), numbers('amu', types), numbers('zion', types)];
  const places = numbers('xred', 3 * atoms);
  const typed = kinds.map((kind) =>
    kind - 1 in nuclei ? kind - 1 : refuseFile(FILE, `there is no type ${kind}`),
  );
  return {
    structure: {
      latticeVectors,
      sites: typed.map((kind, at) => ({
        species: [{ element: elementOf(nuclei[kind]), occupancy: 1 }],
        fractionalCoords: [places[3 * at], places[3 * at + 1], places[3 * at + 2]],
      })),
    },
    masses: typed.map((kind) => weights[kind]),
    moments: momentsOf(variables, atoms),
    cores: typed.map((kind) => cores[kind]),
  };
}

/** Without `nspden` 4 the moments are numbers along an axis that no rotation of the crystal turns. */
function momentsOf(variables: ReadonlyMap<string, readonly number[]>, atoms: number): Moment[] {
  const spins = variables.get('spinat') ?? [];
  const isVector = variables.get('nspden')?.[0] === 4;
  return Array.from({ length: atoms }, (_, at) => {
    const [x = 0, y = 0, z = 0] = spins.slice(3 * at, 3 * at + 3);
    return isVector ? [x, y, z] : z;
  });
}

const elementOf = (number: number): string =>
  Number.isInteger(number) && number >= 1 && number <= 118
    ? ELEMENTS[number - 1].symbol
    : refuseFile(FILE, `znucl ${number} is not an element`);

function blocksOf(lines: Lines): Block[] {
  const blocks: Block[] = [];
  let line = lines.next();
  while (line !== undefined && !/List of bloks/.test(line)) {
    const size = /2nd derivatives.*elements\s*:\s*(\d+)/.exec(line.slice(0, LONGEST_HEADLINE))?.[1];
    if (size === undefined) {
      line = lines.next();
      continue;
    }
    const [name, ...words] = wordsOf(lines.next());
    if (name !== 'qpt') lines.refuse('expected a wave vector (qpt)');
    // The fourth number divides the others; a direction in which Γ is approached has 0.
    const [x, y, z, norm = 1] = words.slice(0, 4).map((word) => toNumber(word, FILE, 'qpt'));
    const entries = new Map<string, readonly [number, number]>();
    const count = lines.count(size, 'the number of elements', 9 * (MOST_ATOMS.cell + 6) ** 2);
    for (let k = 0; k < count; k++) {
      const [direction, perturbation, direction2, perturbation2, re, im] = lines.numbers(
        6,
        'a second derivative',
      );
      entries.set(keyOf(direction, perturbation, direction2, perturbation2), [re, im]);
    }
    blocks.push({ q: scale3([x, y, z], 1 / (norm || 1)), entries });
    line = lines.next();
  }
  return blocks;
}

/** The 3 × 3 block of two perturbations; null unless all nine elements are known. */
function tensorOf({ entries }: Block, first: number, second: number): { re: Mat3; im: Mat3 } | null {
  const parts = [1, 2, 3].map((a) => [1, 2, 3].map((b) => entries.get(keyOf(a, first, b, second))));
  if (parts.some((row) => row.includes(undefined))) return null;
  const part = (k: 0 | 1): Mat3 => parts.map((row) => row.map((entry) => entry?.[k] ?? 0)) as unknown as Mat3;
  return { re: part(0), im: part(1) };
}

/** Converts second derivatives from reduced to Cartesian displacements, Ha to eV/Å². */
function toCartesian(inverse: Mat3, tensor: Mat3): Mat3 {
  const [a, b, c] = multiply3(multiply3(inverse, tensor), transpose3(inverse));
  return [scale3(a, HARTREE_EV), scale3(b, HARTREE_EV), scale3(c, HARTREE_EV)];
}

function dynamicalMatrixOf(block: Block, { structure }: Header): ComplexMatrix {
  const inverse = inverse3(structure.latticeVectors);
  const atoms = structure.sites.length;
  const size = 3 * atoms;
  const [re, im] = [new Float64Array(size * size), new Float64Array(size * size)];
  for (let i = 0; i < atoms; i++)
    for (let j = 0; j < atoms; j++) {
      const found = tensorOf(block, i + 1, j + 1);
      if (!found)
        return refuseFile(
          FILE,
          `derivatives at q = ${block.q.join(' ')} are incomplete for atoms ${i + 1}, ${j + 1}: all directions are needed (merge the files with mrgddb)`,
        );
      const [own, imaginary] = [toCartesian(inverse, found.re), toCartesian(inverse, found.im)];
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) {
          re[(3 * i + a) * size + 3 * j + b] = own[a][b];
          im[(3 * i + a) * size + 3 * j + b] = imaginary[a][b];
        }
    }
  return { re, im };
}

/** Born charges from the block at Γ that has derivatives with respect to fields; null if there is none. */
function chargesOf(blocks: readonly Block[], { structure, cores }: Header): DipoleCharges | null {
  const atoms = structure.sites.length;
  const field = atoms + 2;
  for (const block of blocks) {
    const polarised = tensorOf(block, field, field);
    const mixed = cores.map((_, atom) => tensorOf(block, field, atom + 1));
    if (!polarised || mixed.includes(null)) continue;
    const { latticeVectors } = structure;
    const inAngstrom = multiply3(multiply3(transpose3(latticeVectors), polarised.re), latticeVectors);
    const volume = Math.abs(determinant3(latticeVectors));
    // Converts the dielectric block; factors are L² / V with lengths L in bohr.
    const factor = (4 * Math.PI * BOHR_RADIUS_ANGSTROM) / (volume * (2 * Math.PI) ** 2);
    const dielectric = inAngstrom.map((row, a) =>
      row.map((value, b) => (a === b ? 1 : 0) - factor * value),
    ) as unknown as Mat3;
    const inverse = inverse3(latticeVectors);
    const born = mixed.map((tensor, atom) => {
      const derivative = tensor
        ? multiply3(multiply3(transpose3(latticeVectors), tensor.re), transpose3(inverse))
        : null;
      return (derivative ?? []).map((row, a) =>
        row.map((value, b) => (a === b ? cores[atom] : 0) + value / (2 * Math.PI)),
      ) as unknown as Mat3;
    });
    return { born: neutral(born), dielectric, damping: defaultDamping(structure, dielectric) };
  }
  return null;
}

/** The matrix at the image of a wave vector under an operation. */
function rotatedMatrix(
  { re, im }: ComplexMatrix,
  { cartesian, images, shifts }: SiteOperation,
  q: Vec3,
): ComplexMatrix {
  const size = 3 * images.length;
  const answer = { re: new Float64Array(size * size), im: new Float64Array(size * size) };
  const back = transpose3(cartesian);
  for (let i = 0; i < images.length; i++)
    for (let j = 0; j < images.length; j++) {
      const part = (values: Float64Array): Mat3 => {
        const row = (a: number): Vec3 => {
          const at = (3 * i + a) * size + 3 * j;
          return [values[at], values[at + 1], values[at + 2]];
        };
        return multiply3(multiply3(cartesian, [row(0), row(1), row(2)]), back);
      };
      const [real, imaginary] = [part(re), part(im)];
      const phase = -2 * Math.PI * (dot3(q, shifts[i]) - dot3(q, shifts[j]));
      const [cosine, sine] = [Math.cos(phase), Math.sin(phase)];
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) {
          const at = (3 * images[i] + a) * size + 3 * images[j] + b;
          answer.re[at] = real[a][b] * cosine - imaginary[a][b] * sine;
          answer.im[at] = real[a][b] * sine + imaginary[a][b] * cosine;
        }
    }
  return answer;
}

/** Divisions of the smallest grid that contains all wave vectors. */
function gridOf(points: readonly Vec3[]): Vec3 {
  const divisions = ([0, 1, 2] as const).map((axis) => {
    for (let n = 1; n <= LARGEST_GRID; n++)
      if (points.every((q) => Math.abs(q[axis] * n - Math.round(q[axis] * n)) < n * SAME)) return n;
    return refuseFile(
      FILE,
      `the wave vectors lie on no grid of at most ${LARGEST_GRID} points along an axis`,
    );
  });
  return [divisions[0], divisions[1], divisions[2]];
}

const wrapped = (q: Vec3, grid: Vec3): string =>
  q.map((value, axis) => ((Math.round(value * grid[axis]) % grid[axis]) + grid[axis]) % grid[axis]).join(',');

/**
 * @throws PotentialError `phonon-file` when the wave vectors and their images under the symmetry of the crystal do not fill a grid
 */
export function readAbinitDdb(text: string, tools: Pick<CrystalTools, 'operationsOf'>): ForceConstants {
  if (!text.includes('DERIVATIVE DATABASE')) refuseFile(FILE, 'expected "DERIVATIVE DATABASE" at its head');
  const lines = new Lines(FILE, text);
  const header = headerOf(lines);
  const blocks = blocksOf(lines);
  if (blocks.length === 0) refuseFile(FILE, 'it holds no second derivatives');
  const { structure, masses, moments } = header;
  const charges = chargesOf(blocks, header);
  const operations = siteOperations(
    structure,
    magneticOperations(structure, tools.operationsOf(structure), moments),
  );
  const withAtoms = blocks.filter(({ entries }) => entries.has(keyOf(1, 1, 1, 1)));
  const images = operations.map((operation) => inverse3(operation.rotation));
  const grid = gridOf(withAtoms.flatMap(({ q }) => images.map((image) => rowTimesMatrix3(q, image))));
  const known = new Map<string, ComplexMatrix>();
  for (const block of withAtoms) {
    const matrix = dynamicalMatrixOf(block, header);
    operations.forEach((operation, k) => {
      const q = rowTimesMatrix3(block.q, images[k]);
      const [here, there] = [wrapped(q, grid), wrapped(scale3(q, -1), grid)];
      if (known.has(here) && known.has(there)) return;
      const rotated = rotatedMatrix(matrix, operation, q);
      if (!known.has(here)) known.set(here, rotated);
      // Time reversal: the matrix of the opposite wave vector is the conjugate.
      if (!known.has(there)) known.set(there, { re: rotated.re, im: rotated.im.map((value) => -value) });
    });
  }
  const wanted = grid[0] * grid[1] * grid[2];
  assertGridSize(FILE, structure.sites.length, wanted);
  if (known.size !== wanted)
    refuseFile(
      FILE,
      `${known.size} of the ${wanted} wave vectors of a ${grid.join(' × ')} grid follow from it`,
    );
  const supercell = diagonal(grid);
  const full = toRealSpace(
    structure,
    supercell,
    (q) => known.get(wrapped(q, grid)) ?? refuseFile(FILE, 'no grid'),
  );
  const dipoles = charges && toRealSpace(structure, supercell, dipoleInteraction(structure, charges));
  const values = dipoles ? full.map((value, k) => value - dipoles[k]) : full;
  return obeySumRule({ structure, supercell, masses, values, ...(charges && { charges }) });
}
