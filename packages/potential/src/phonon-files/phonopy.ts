/**
 * Force constants from files of phonopy: phonopy.yaml (cells, forces, charges) together with FORCE_SETS,
 * FORCE_CONSTANTS and BORN; SPOSCAR may replace phonopy.yaml. Units follow `physical_unit` of the file; the
 * default is that of VASP (eV, Å).
 */
import { readPoscar, type Structure, type SymmetryOperation } from '@unitcell/crystal';
import { BOHR_RADIUS_ANGSTROM, HARTREE_EV } from '@unitcell/elements';
import {
  add3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import { withCharges } from '../dipole-interaction.ts';
import { type DisplacedForces, type ForceConstants, forceConstantsFromForces } from '../force-constants.ts';
import { areEqualMoments, magneticOperations } from '../site-symmetry.ts';
import { type SupercellCells, supercellCells } from '../supercell-cells.ts';
import { Lines, MOST_ATOMS, refuseFile, toNumber, wordsOf } from './file-error.ts';
import { chargesOfBorn, chargesOfYaml } from './phonopy-charges.ts';
import { type Cell, cellOf, isMap, listOf, matrixOf, vectorOf, numberOf } from './phonopy-cell.ts';
import { readPlainYaml, type Yaml } from './plain-yaml.ts';

/** Functions passed in by the caller, because symmetry is found by another package. */
export interface CrystalTools {
  /** Returns the primitive cell of a structure without moving its atoms and axes. */
  readonly primitiveOf: (structure: Structure) => Structure;
  readonly operationsOf: (structure: Structure) => readonly SymmetryOperation[];
}

/** The texts of the files of a calculation. */
export interface PhonopyFiles {
  /** phonopy.yaml, phonopy_disp.yaml or phonopy_params.yaml */
  readonly yaml?: string;
  /** SPOSCAR, the supercell, if there is no phonopy.yaml. */
  readonly sposcar?: string;
  readonly forceSets?: string;
  readonly forceConstants?: string;
  readonly born?: string;
}

/** Value in eV/Å² of the units of force constants that phonopy's interfaces write. */
const FORCE_CONSTANT_UNITS: Readonly<Record<string, number>> = {
  'eV/angstrom^2': 1,
  'eV/angstrom.au': 1 / BOHR_RADIUS_ANGSTROM,
  'Ry/au^2': HARTREE_EV / 2 / BOHR_RADIUS_ANGSTROM ** 2,
  'mRy/au^2': HARTREE_EV / 2000 / BOHR_RADIUS_ANGSTROM ** 2,
  'hartree/au^2': HARTREE_EV / BOHR_RADIUS_ANGSTROM ** 2,
  'hartree/angstrom.au': HARTREE_EV / BOHR_RADIUS_ANGSTROM,
};
const LENGTH_UNITS: Readonly<Record<string, number>> = { angstrom: 1, au: BOHR_RADIUS_ANGSTROM };
/** Å; largest distance of a supercell atom from the periodic image of the corresponding atom of the cell. */
const SAME_PLACE = 0.05;
const YAML = 'phonopy.yaml';

/** The supercell of a calculation, with its atoms assigned to those of the primitive cell. */
interface Frame {
  readonly primitive: Cell;
  readonly supercell: Mat3;
  readonly order: SupercellCells;
  /**
   * For each atom of the supercell, the corresponding atom of the primitive cell and the lattice translation.
   */
  readonly atoms: readonly { readonly site: number; readonly cell: Vec3 }[];
}

/** @throws PotentialError `phonon-file` */
function frameOf(primitive: Cell, { structure: large, moments }: Cell, file: string): Frame {
  const { latticeVectors, sites } = primitive.structure;
  if (sites.length > MOST_ATOMS.cell || large.sites.length > MOST_ATOMS.supercell)
    refuseFile(
      file,
      `${sites.length} atoms in the primitive cell and ${large.sites.length} in the supercell: at most ${MOST_ATOMS.cell} and ${MOST_ATOMS.supercell} are read`,
    );
  const exact = multiply3(large.latticeVectors, inverse3(latticeVectors));
  const supercell = exact.map((row) => row.map(Math.round)) as unknown as Mat3;
  if (exact.some((row, i) => row.some((value, j) => Math.abs(value - supercell[i][j]) > 0.01)))
    refuseFile(file, 'the supercell is not made of whole primitive cells');
  const order = supercellCells(supercell);
  const seen = new Set<number>();
  const atoms = large.sites.map(({ species, fractionalCoords }, index) => {
    const place = rowTimesMatrix3(fractionalCoords, exact);
    for (const [site, own] of sites.entries()) {
      if (own.species[0].element !== species[0].element) continue;
      if (moments && primitive.moments && !areEqualMoments(moments[index], primitive.moments[site])) continue;
      const difference = subtract3(place, own.fractionalCoords);
      const cell: Vec3 = [Math.round(difference[0]), Math.round(difference[1]), Math.round(difference[2])];
      if (norm3(rowTimesMatrix3(subtract3(difference, cell), latticeVectors)) > SAME_PLACE) continue;
      seen.add(order.indexOf(cell) * sites.length + site);
      return { site, cell };
    }
    return refuseFile(file, `atom ${index + 1} of the supercell has no counterpart in the primitive cell`);
  });
  if (seen.size !== order.cells.length * sites.length || atoms.length !== seen.size)
    refuseFile(
      file,
      `the supercell has ${large.sites.length} atoms, expected ${order.cells.length * sites.length}`,
    );
  return { primitive, supercell, order, atoms };
}

/**
 * The supercell that phonopy makes from a block of cells. All translations of one atom follow each other, with
 * the first axis fastest.
 */
function blockOf({ structure, moments }: Cell, matrix: Mat3, file: string): Cell {
  const { latticeVectors, sites } = structure;
  const [nx, ny, nz] = [matrix[0][0], matrix[1][1], matrix[2][2]];
  if (matrix.some((row, i) => row.some((value, j) => i !== j && value !== 0)))
    refuseFile(
      file,
      'a supercell that is not a block of cells needs its atoms: the section `supercell` is missing',
    );
  const count = nx * ny * nz * sites.length;
  if (!(nx > 0 && ny > 0 && nz > 0 && count <= MOST_ATOMS.supercell))
    refuseFile(file, `supercell ${nx} × ${ny} × ${nz}: at most ${MOST_ATOMS.supercell} atoms are read`);
  const large: Structure['sites'][number][] = [];
  for (const site of sites)
    for (let z = 0; z < nz; z++)
      for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++) {
          const [a, b, c] = add3(site.fractionalCoords, [x, y, z]);
          large.push({ ...site, fractionalCoords: [a / nx, b / ny, c / nz] });
        }
  const [a, b, c] = latticeVectors;
  return {
    structure: { latticeVectors: [scale3(a, nx), scale3(b, ny), scale3(c, nz)], sites: large },
    ...(moments && {
      moments: moments.flatMap((moment) => Array.from({ length: nx * ny * nz }, () => moment)),
    }),
  };
}

function unitOf(
  document: Yaml,
  key: string,
  units: Readonly<Record<string, number>>,
  standard: string,
): number {
  const stated = isMap(document) && isMap(document.physical_unit) ? document.physical_unit[key] : undefined;
  const name = typeof stated === 'string' ? stated : standard;
  return (
    units[name] ??
    refuseFile(YAML, `unit ${JSON.stringify(name)} of ${key}: expected ${Object.keys(units).join(', ')}`)
  );
}

/**
 * Merges atoms of a cell that differ by a translation of a smaller lattice. The cell stays as it is if that would
 * merge atoms with different magnetic moments.
 */
function reducedTo(given: Cell, lattice: Mat3): Cell {
  const { structure, masses, moments } = given;
  const toSmall = multiply3(structure.latticeVectors, inverse3(lattice));
  const kept: number[] = [];
  const places: Vec3[] = [];
  let isMagneticCell = false;
  structure.sites.forEach(({ species, fractionalCoords }, at) => {
    const place = rowTimesMatrix3(fractionalCoords, toSmall);
    const known = places.findIndex((other, k) => {
      const [x, y, z] = subtract3(place, other);
      const rest: Vec3 = [x - Math.round(x), y - Math.round(y), z - Math.round(z)];
      const same = structure.sites[kept[k]].species[0].element === species[0].element;
      return same && norm3(rowTimesMatrix3(rest, lattice)) < SAME_PLACE;
    });
    if (known >= 0) {
      isMagneticCell ||= moments !== undefined && !areEqualMoments(moments[at], moments[kept[known]]);
      return;
    }
    kept.push(at);
    places.push([
      place[0] - Math.floor(place[0]),
      place[1] - Math.floor(place[1]),
      place[2] - Math.floor(place[2]),
    ]);
  });
  if (isMagneticCell) return given;
  return {
    structure: {
      latticeVectors: lattice,
      sites: kept.map((at, k) => ({ ...structure.sites[at], fractionalCoords: places[k] })),
    },
    ...(masses && { masses: kept.map((at) => masses[at]) }),
    ...(moments && { moments: kept.map((at) => moments[at]) }),
  };
}

interface Cells {
  readonly primitive: Cell;
  readonly large: Cell;
}

function cellsOfYaml(document: Yaml, length: number, tools: CrystalTools): Cells {
  if (!isMap(document)) return refuseFile(YAML, 'expected keys such as unit_cell and supercell');
  const given =
    document.unit_cell === undefined ? null : cellOf(document.unit_cell, length, YAML, 'unit_cell');
  const large =
    document.supercell === undefined || document.supercell === null
      ? null
      : cellOf(document.supercell, length, YAML, 'supercell');
  const cell = given ?? large;
  if (!cell)
    return refuseFile(YAML, 'neither unit_cell nor supercell: expected the file that phonopy writes');
  const supercell =
    large ?? blockOf(cell, matrixOf(document.supercell_matrix, YAML, 'supercell_matrix'), YAML);
  if (isMap(document.primitive_cell))
    return { primitive: cellOf(document.primitive_cell, length, YAML, 'primitive_cell'), large: supercell };
  const lattice =
    given && document.primitive_matrix !== undefined
      ? multiply3(
          transpose3(matrixOf(document.primitive_matrix, YAML, 'primitive_matrix')),
          given.structure.latticeVectors,
        )
      : tools.primitiveOf(cell.structure).latticeVectors;
  return { primitive: reducedTo(cell, lattice), large: supercell };
}

/** @throws PotentialError `phonon-file`, `displacements`, `symmetry` */
export function readPhonopy(files: PhonopyFiles, tools: CrystalTools): ForceConstants {
  const document = files.yaml === undefined ? null : readPlainYaml(YAML, files.yaml);
  const length = unitOf(document, 'length', LENGTH_UNITS, 'angstrom');
  const unit = unitOf(document, 'force_constants', FORCE_CONSTANT_UNITS, 'eV/angstrom^2');
  const { primitive, large } =
    document === null ? cellsOfPoscar(files.sposcar, tools) : cellsOfYaml(document, length, tools);
  const frame = frameOf(primitive, large, document === null ? 'SPOSCAR' : YAML);
  const ofCrystal = tools.operationsOf(primitive.structure);
  const operations = primitive.moments
    ? magneticOperations(primitive.structure, ofCrystal, primitive.moments)
    : ofCrystal;
  const bare = constantsOf(files, document, frame, operations);
  const constants: ForceConstants = {
    structure: primitive.structure,
    supercell: frame.supercell,
    values: bare.map((value) => value * unit),
    ...(primitive.masses && { masses: primitive.masses }),
  };
  const charges =
    files.born === undefined
      ? chargesOfYaml(document, primitive.structure, unit * length ** 3)
      : chargesOfBorn(files.born, primitive.structure, operations, unit * length ** 3);
  return charges ? withCharges(constants, charges) : constants;
}

function cellsOfPoscar(text: string | undefined, tools: CrystalTools): Cells {
  if (text === undefined)
    return refuseFile('FORCE_SETS', 'phonopy.yaml (or phonopy_disp.yaml, SPOSCAR) is missing beside it');
  const { structure } = readPoscar(text);
  return {
    primitive: reducedTo({ structure }, tools.primitiveOf(structure).latticeVectors),
    large: { structure },
  };
}

/** Values in the units of the file, which are force per length. */
function constantsOf(
  files: PhonopyFiles,
  document: Yaml,
  frame: Frame,
  operations: readonly SymmetryOperation[],
): Float64Array {
  if (files.forceConstants !== undefined) return constantsOfText(files.forceConstants, frame);
  if (files.forceSets !== undefined) return fromForces(frame, forceSets(files.forceSets, frame), operations);
  if (isMap(document) && isMap(document.force_constants))
    return constantsOfYaml(document.force_constants, frame);
  if (isMap(document) && document.displacements !== undefined)
    return fromForces(frame, forcesOfYaml(document.displacements, frame), operations);
  return refuseFile(
    YAML,
    'no forces and no force constants: FORCE_SETS or FORCE_CONSTANTS is missing beside it',
  );
}

interface AtomForces {
  /** Index of the displaced atom in the supercell. */
  readonly atom: number;
  readonly displacement: Vec3;
  readonly forces: readonly Vec3[];
}

function fromForces(
  { primitive, supercell, order, atoms }: Frame,
  given: readonly AtomForces[],
  operations: readonly SymmetryOperation[],
): Float64Array {
  const count = primitive.structure.sites.length;
  const displaced = given.map(({ atom, displacement, forces }): DisplacedForces => {
    const { site, cell } = atoms[atom];
    const sorted = new Float64Array(3 * atoms.length);
    forces.forEach((force, other) => {
      const at = order.indexOf(subtract3(atoms[other].cell, cell)) * count + atoms[other].site;
      sorted.set(force, 3 * at);
    });
    return { site, displacement, forces: sorted };
  });
  return forceConstantsFromForces(primitive.structure, supercell, displaced, operations).values;
}

function forceSets(text: string, { atoms }: Frame): AtomForces[] {
  const lines = new Lines('FORCE_SETS', text);
  const first = wordsOf(lines.next());
  if (first.length !== 1)
    lines.refuse(
      'displacements of all atoms at once (six numbers a line) are not read: let phonopy write FORCE_CONSTANTS (--writefc)',
    );
  const count = toNumber(first[0], 'FORCE_SETS', 'line 1');
  if (count !== atoms.length) lines.refuse(`${count} atoms, the supercell has ${atoms.length}`);
  const sets = lines.count(wordsOf(lines.next())[0], 'the number of displacements', 3 * 2 * MOST_ATOMS.cell);
  return Array.from({ length: sets }, () => {
    const atom = lines.count(wordsOf(lines.next())[0], 'the displaced atom', atoms.length) - 1;
    const displacement = lines.vector('the displacement');
    return { atom, displacement, forces: atoms.map(() => lines.vector('a force')) };
  });
}

function forcesOfYaml(node: Yaml, { atoms }: Frame): AtomForces[] {
  return listOf(node, YAML, 'displacements').map((entry, index) => {
    const where = `displacements, entry ${index + 1}`;
    if (!isMap(entry) || typeof entry.atom !== 'number')
      return refuseFile(
        YAML,
        `${where}: displacements of all atoms at once are not read: let phonopy write FORCE_CONSTANTS (--writefc)`,
      );
    const atom = entry.atom - 1;
    if (!(atom in atoms)) refuseFile(YAML, `${where}: there is no atom ${entry.atom}`);
    if (entry.forces === undefined)
      refuseFile(YAML, `${where} has no forces: FORCE_SETS is missing beside the file`);
    const forces = listOf(entry.forces, YAML, `${where}, forces`).map((force) =>
      vectorOf(force, YAML, `${where}, forces`),
    );
    if (forces.length !== atoms.length)
      refuseFile(YAML, `${where}: ${forces.length} forces, the supercell has ${atoms.length} atoms`);
    return { atom, displacement: vectorOf(entry.displacement, YAML, `${where}, displacement`), forces };
  });
}

/** For each atom of the cell, averages the blocks over the supercell atoms that correspond to it. */
function collector({ primitive, order, atoms }: Frame) {
  const count = primitive.structure.sites.length;
  const values = new Float64Array(count * order.cells.length * count * 9);
  const rows = new Float64Array(count);
  return {
    add(i: number, j: number, block: readonly number[]): void {
      const cell = order.indexOf(subtract3(atoms[j].cell, atoms[i].cell));
      const at = ((atoms[i].site * order.cells.length + cell) * count + atoms[j].site) * 9;
      block.forEach((value, k) => {
        values[at + k] += value;
      });
      rows[atoms[i].site] += 1 / atoms.length;
    },
    mean(file: string): Float64Array {
      if (rows.some((row) => row === 0))
        refuseFile(file, 'force constants of an atom of the cell are missing');
      return values.map((value, k) => value / rows[Math.floor(k / (order.cells.length * count * 9))]);
    },
  };
}

function constantsOfText(text: string, frame: Frame): Float64Array {
  const file = 'FORCE_CONSTANTS';
  const lines = new Lines(file, text);
  const head = wordsOf(lines.next());
  const size = frame.atoms.length;
  const rows = lines.count(head[0], 'the number of rows', size);
  const columns = lines.count(head[1] ?? head[0], 'the number of columns', MOST_ATOMS.supercell);
  if (columns !== size) lines.refuse(`${columns} atoms, the supercell has ${size}`);
  const collected = collector(frame);
  for (let block = 0; block < rows * columns; block++) {
    const [i, j] = lines.numbers(2, 'the two atoms of a block');
    const entries = [...lines.vector('a block'), ...lines.vector('a block'), ...lines.vector('a block')];
    if (!(i - 1 in frame.atoms && j - 1 in frame.atoms)) lines.refuse(`there is no pair of atoms ${i}, ${j}`);
    collected.add(i - 1, j - 1, entries);
  }
  return collected.mean(file);
}

function constantsOfYaml(node: { readonly [key: string]: Yaml }, frame: Frame): Float64Array {
  const [rows, columns] = listOf(node.shape, YAML, 'force_constants, shape').map((size) =>
    numberOf(size, YAML, 'force_constants, shape'),
  );
  const elements = listOf(node.elements, YAML, 'force_constants, elements');
  const { atoms, primitive } = frame;
  const isFull = rows === atoms.length;
  if (columns !== atoms.length || !(isFull || rows === primitive.structure.sites.length))
    refuseFile(YAML, `force_constants: shape ${rows} × ${columns} does not fit ${atoms.length} atoms`);
  if (elements.length !== rows * columns)
    refuseFile(YAML, `force_constants: ${elements.length} blocks, expected ${rows * columns}`);
  // Rows of the compact form: for each atom of the primitive cell, the first supercell atom that corresponds to
  // it.
  const first = primitive.structure.sites.map((_, site) => atoms.findIndex((atom) => atom.site === site));
  const collected = collector(frame);
  elements.forEach((element, k) => {
    const row = Math.floor(k / atoms.length);
    const block = matrixOf(element, YAML, 'force_constants').flat();
    collected.add(isFull ? row : first[row], k % atoms.length, block);
  });
  return collected.mean(YAML);
}
