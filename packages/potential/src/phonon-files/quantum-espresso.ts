/**
 * Force constants that q2r.x of Quantum ESPRESSO writes (`.fc`), in Rydberg units. If the file has Born
 * charges, the dipole interaction is already subtracted from its force constants, with a Gaussian width of 2π
 * over the lattice parameter.
 */
import type { Structure } from '@unitcell/crystal';
import { BOHR_RADIUS_ANGSTROM, ELEMENTS, HARTREE_EV, isElementSymbol } from '@unitcell/elements';
import {
  determinant3,
  inverse3,
  type Mat3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  type Vec3,
} from '@unitcell/numerics';
import { type DipoleCharges, diagonal, type ForceConstants, obeySumRule } from '../force-constants.ts';
import { supercellCells } from '../supercell-cells.ts';
import { assertGridSize, Lines, MOST_ATOMS, toNumber, wordsOf } from './file-error.ts';
import { dipoleInteraction, neutral } from '../dipole-interaction.ts';

const FILE = '.fc file';
/** Masses are in units of two electron masses; 911.444 of them are one atomic mass unit. */
const MASS = 1822.888486209 / 2;
const RYDBERG_PER_BOHR2 = HARTREE_EV / 2 / BOHR_RADIUS_ANGSTROM ** 2;
/** u; a smaller difference of masses identifies the element. */
const SAME_MASS = 0.06;
const LARGEST_GRID = 24;

type Rows = readonly [Vec3, Vec3, Vec3];

/** Lattice vectors in units of a, for the lattices whose vectors the file does not list (Quantum ESPRESSO's table of `ibrav`). */
function latticeOf(kind: number, [, ba, ca]: readonly number[]): Rows | null {
  const h = Math.sqrt(3) / 2;
  switch (kind) {
    case 1:
      return [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ];
    case 2:
      return [
        [-0.5, 0, 0.5],
        [0, 0.5, 0.5],
        [-0.5, 0.5, 0],
      ];
    case 3:
      return [
        [0.5, 0.5, 0.5],
        [-0.5, 0.5, 0.5],
        [-0.5, -0.5, 0.5],
      ];
    case 4:
      return [
        [1, 0, 0],
        [-0.5, h, 0],
        [0, 0, ca],
      ];
    case 6:
      return [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, ca],
      ];
    case 7:
      return [
        [0.5, -0.5, ca / 2],
        [0.5, 0.5, ca / 2],
        [-0.5, -0.5, ca / 2],
      ];
    case 8:
      return [
        [1, 0, 0],
        [0, ba, 0],
        [0, 0, ca],
      ];
    default:
      return null;
  }
}

const readMatrix = (lines: Lines, what: string): Mat3 => [
  lines.vector(what),
  lines.vector(what),
  lines.vector(what),
];

interface Head {
  readonly structure: Structure;
  readonly masses: readonly number[];
  /** Å */
  readonly a: number;
}

function headOf(lines: Lines): Head {
  const [types, atoms, kind, ...lengths] = lines.numbers(9, 'types, atoms, lattice and its six parameters');
  if (
    !(
      Number.isInteger(types) &&
      types >= 1 &&
      types <= atoms &&
      Number.isInteger(atoms) &&
      atoms <= MOST_ATOMS.cell
    )
  )
    lines.refuse(`${types} types and ${atoms} atoms: expected 1 to ${MOST_ATOMS.cell}`);
  const rows = kind === 0 ? readMatrix(lines, 'a lattice vector') : latticeOf(kind, lengths);
  if (!rows) return lines.refuse(`lattice ibrav = ${kind} is not read: write the file with ibrav = 0`);
  const a = lengths[0] * BOHR_RADIUS_ANGSTROM;
  const latticeVectors: Mat3 = [scale3(rows[0], a), scale3(rows[1], a), scale3(rows[2], a)];
  if (!(Math.abs(determinant3(latticeVectors)) > 1e-3)) lines.refuse('the cell has no volume');
  const species = Array.from({ length: types }, () => {
    const line = lines.next() ?? '';
    const mass = toNumber(wordsOf(line).at(-1), FILE, 'the mass of a type') / MASS;
    return { mass, element: elementOf(/'([^']*)'/.exec(line)?.[1].trim() ?? '', mass, lines) };
  });
  const found = Array.from({ length: atoms }, () => {
    const [, type, x, y, z] = lines.numbers(5, 'an atom');
    const own = species[type - 1] ?? lines.refuse(`there is no type ${type}`);
    return { ...own, place: [x * a, y * a, z * a] as const };
  });
  return {
    structure: {
      latticeVectors,
      sites: found.map(({ element, place }) => ({
        species: [{ element, occupancy: 1 }],
        fractionalCoords: rowTimesMatrix3(place, inverse3(latticeVectors)),
      })),
    },
    masses: found.map(({ mass }) => mass),
    a,
  };
}

/** Some versions leave the element name blank; the mass then identifies the element. */
function elementOf(name: string, mass: number, lines: Lines): string {
  const symbol = /^[A-Z][a-z]?/.exec(name)?.[0] ?? '';
  if (isElementSymbol(symbol)) return symbol;
  const found = ELEMENTS.find(({ atomicMass }) => Math.abs(atomicMass - mass) < SAME_MASS);
  return (
    found?.symbol ??
    lines.refuse(`a type is named ${JSON.stringify(name)} and weighs ${mass.toFixed(3)} u: no such element`)
  );
}

function chargesOf(lines: Lines, { structure, a }: Head): DipoleCharges | null {
  const [flag = ''] = wordsOf(lines.next());
  if (!/^\.?[tTfF]/.test(flag))
    lines.refuse(`expected T or F for Born charges, found ${JSON.stringify(flag).slice(0, 40)}`);
  if (/^\.?[fF]/.test(flag)) return null;
  const dielectric = readMatrix(lines, 'the dielectric tensor');
  const born = structure.sites.map((_, atom) => {
    const [index] = lines.numbers(1, 'the number of an atom');
    if (index !== atom + 1) lines.refuse(`Born charge of atom ${index}, expected ${atom + 1}`);
    return readMatrix(lines, `the Born charge of atom ${index}`);
  });
  return { born: neutral(born), dielectric, damping: (2 * Math.PI) / a };
}

/** @throws PotentialError `phonon-file` */
export function readQuantumEspresso(text: string): ForceConstants {
  const lines = new Lines(FILE, text);
  const head = headOf(lines);
  const charges = chargesOf(lines, head);
  const { structure, masses } = head;
  // Refuses charges that cannot be summed.
  if (charges) dipoleInteraction(structure, charges);
  const grid = lines.vector('the grid');
  const cells = grid[0] * grid[1] * grid[2];
  if (!grid.every((n) => Number.isInteger(n) && n >= 1 && n <= LARGEST_GRID))
    lines.refuse(`grid ${grid.join(' × ')}: expected 1 to ${LARGEST_GRID} along each axis`);
  assertGridSize(FILE, structure.sites.length, cells);
  const supercell = diagonal(grid);
  const { indexOf } = supercellCells(supercell);
  const atoms = structure.sites.length;
  const values = new Float64Array(atoms * cells * atoms * 9);
  for (let block = 0; block < 9 * atoms * atoms; block++) {
    const [a, b, first, second] = lines.numbers(4, 'directions and atoms of a block');
    if (
      ![a, b].every((axis) => [1, 2, 3].includes(axis)) ||
      !(structure.sites[first - 1] && structure.sites[second - 1])
    )
      lines.refuse(`there is no block ${a} ${b} ${first} ${second}`);
    for (let k = 0; k < cells; k++) {
      const [x, y, z, value] = lines.numbers(4, 'a force constant');
      // The file lists cells in the direction from the second atom to the first.
      const cell = indexOf(subtract3([1, 1, 1], [x, y, z]));
      values[(((first - 1) * cells + cell) * atoms + second - 1) * 9 + 3 * (a - 1) + b - 1] =
        value * RYDBERG_PER_BOHR2;
    }
  }
  return obeySumRule({ structure, supercell, masses, values, ...(charges && { charges }) });
}
