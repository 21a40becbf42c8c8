/**
 * Space-group operations from Hall symbols.
 *
 * S. R. Hall, Acta Cryst. A37 (1981) 517, https://doi.org/10.1107/S0567739481001228; S. R. Hall & R. W.
 * Grosse-Kunstleve, International Tables for Crystallography B (2001), appendix A1.4.2.
 *
 *   symbol    = [ '-' ] lattice rotation { rotation } [ '(' x y z ')' ]
 *   lattice   = 'P' | 'A' | 'B' | 'C' | 'I' | 'R' | 'S' | 'T' | 'F'    '-': also centred at the origin
 *   rotation  = [ '-' ] order [ axis ] { translation }                 order 1, 2, 3, 4 or 6; '-': improper
 *   axis      = 'x' | 'y' | 'z' | "'" (a−b) | '"' (a+b) | '*' (a+b+c)  omitted where the rules imply it
 *   translation = a b c n u v w d (halves and quarters) or the number of a screw axis
 *   x y z     = shift of the origin in twelfths
 *
 * Translations are counted in twelfths, so every product is exact.
 */
import type { Mat3, Vec3 } from '@unitcell/numerics';
import { CrystalError } from './error.ts';
import type { SymmetryOperation } from './symmetry-operation.ts';

const TWELFTHS = 12;
/** Order of the largest space group modulo the lattice of its conventional cell (Fm-3m: 48 · 4). */
export const MAX_GROUP_ORDER = 192;

interface ExactOperation {
  readonly rotation: Mat3;
  /** Translation in twelfths, 0 to 11. */
  readonly shift: Vec3;
}

type Axis = 'x' | 'y' | 'z';

const CENTRINGS: Readonly<Record<string, readonly Vec3[]>> = {
  P: [],
  A: [[0, 6, 6]],
  B: [[6, 0, 6]],
  C: [[6, 6, 0]],
  I: [[6, 6, 6]],
  R: [
    [8, 4, 4],
    [4, 8, 8],
  ],
  S: [
    [4, 4, 8],
    [8, 8, 4],
  ],
  T: [
    [4, 8, 4],
    [8, 4, 8],
  ],
  F: [
    [0, 6, 6],
    [6, 0, 6],
    [6, 6, 0],
  ],
};

const SHIFTS: Readonly<Record<string, Vec3>> = {
  a: [6, 0, 0],
  b: [0, 6, 0],
  c: [0, 0, 6],
  n: [6, 6, 6],
  u: [3, 0, 0],
  v: [0, 3, 0],
  w: [0, 0, 3],
  d: [3, 3, 3],
};

const IDENTITY: Mat3 = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const ALONG_CUBE_DIAGONAL: Mat3 = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 1, 0],
];

/** Proper rotations about the cell axes (tables A1.4.2.4 and A1.4.2.5), given for z. */
const ABOUT_Z: Readonly<Record<string, Mat3>> = {
  '1': IDENTITY,
  '2': [
    [-1, 0, 0],
    [0, -1, 0],
    [0, 0, 1],
  ],
  '3': [
    [0, -1, 0],
    [1, -1, 0],
    [0, 0, 1],
  ],
  '4': [
    [0, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
  '6': [
    [1, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
  "'": [
    [0, -1, 0],
    [-1, 0, 0],
    [0, 0, -1],
  ],
  '"': [
    [0, 1, 0],
    [1, 0, 0],
    [0, 0, -1],
  ],
};

const AXIS_INDEX: Readonly<Record<Axis, number>> = { x: 0, y: 1, z: 2 };

/** The matrix for z transferred to another axis by the cyclic permutation x → y → z → x. */
function permutedTo(axis: Axis, m: Mat3): Mat3 {
  const shift = (AXIS_INDEX[axis] + 1) % 3;
  const from = (index: number): number => (index - shift + 3) % 3;
  return [0, 1, 2].map((i) => [0, 1, 2].map((j) => m[from(i)][from(j)])) as unknown as Mat3;
}

const negated = (m: Mat3): Mat3 =>
  m.map((row) => row.map((entry) => (entry === 0 ? 0 : -entry))) as unknown as Mat3;

const modulo = (value: number): number => ((value % TWELFTHS) + TWELFTHS) % TWELFTHS;

const column = (m: Mat3, v: Vec3): Vec3 => [
  m[0][0] * v[0] + m[0][1] * v[1] + m[0][2] * v[2],
  m[1][0] * v[0] + m[1][1] * v[1] + m[1][2] * v[2],
  m[2][0] * v[0] + m[2][1] * v[1] + m[2][2] * v[2],
];

function product(a: ExactOperation, b: ExactOperation): ExactOperation {
  const moved = column(a.rotation, b.shift);
  return {
    rotation: [0, 1, 2].map((i) =>
      [0, 1, 2].map(
        (j) =>
          a.rotation[i][0] * b.rotation[0][j] +
          a.rotation[i][1] * b.rotation[1][j] +
          a.rotation[i][2] * b.rotation[2][j],
      ),
    ) as unknown as Mat3,
    shift: [0, 1, 2].map((i) => modulo(moved[i] + a.shift[i])) as unknown as Vec3,
  };
}

/** The group that the operations generate. */
function closure(generators: readonly ExactOperation[], refuse: (cause: string) => never): ExactOperation[] {
  const keyOf = ({ rotation, shift }: ExactOperation): string => `${rotation.join()};${shift.join()}`;
  const identity: ExactOperation = { rotation: IDENTITY, shift: [0, 0, 0] };
  const group = [identity];
  const known = new Set([keyOf(identity)]);
  for (let done = 0; done < group.length; done++)
    for (const generator of generators) {
      const next = product(generator, group[done]);
      const key = keyOf(next);
      if (known.has(key)) continue;
      if (group.length === MAX_GROUP_ORDER) refuse(`its rotations make no space group`);
      known.add(key);
      group.push(next);
    }
  return group;
}

/** The rotations read so far: the rules for omitted axes depend on them. */
interface Previous {
  readonly order: string;
  readonly axis: Axis;
}

function defaultAxis(order: string, position: number, previous: Previous | undefined): string {
  if (order === '1' || position === 0) return 'z';
  if (order === '2' && position === 1) return previous?.order === '2' || previous?.order === '4' ? 'x' : "'";
  return order === '3' ? '*' : 'z';
}

interface Rotation {
  readonly operation: ExactOperation;
  readonly previous: Previous;
}

function readRotation(
  word: string,
  position: number,
  previous: Previous | undefined,
  refuse: (cause: string) => never,
): Rotation {
  const isImproper = word.startsWith('-');
  const order = word[isImproper ? 1 : 0] ?? '';
  if (!'12346'.includes(order) || order === '') refuse(`"${word}" is no rotation`);
  let at = isImproper ? 2 : 1;
  const written = word[at] ?? '';
  const isAxisWritten = written !== '' && `xyz'"*`.includes(written);
  if (isAxisWritten) at++;
  const axis = isAxisWritten ? written : defaultAxis(order, position, previous);
  const isCellAxis = axis === 'x' || axis === 'y' || axis === 'z';
  if ((axis === "'" || axis === '"') && order !== '2')
    refuse(`"${word}": only a twofold axis lies along a diagonal of a face`);
  if (axis === '*' && order !== '3') refuse(`"${word}": only a threefold axis lies along the body diagonal`);
  const cellAxis: Axis = isCellAxis ? axis : (previous?.axis ?? 'z');
  const proper =
    axis === '*' ? ALONG_CUBE_DIAGONAL : permutedTo(cellAxis, ABOUT_Z[isCellAxis ? order : axis]);
  const shift: [number, number, number] = [0, 0, 0];
  for (; at < word.length; at++) {
    const screw = Number(word[at]);
    if (screw >= 1 && screw < Number(order) && isCellAxis) {
      shift[AXIS_INDEX[cellAxis]] += (screw * TWELFTHS) / Number(order);
      continue;
    }
    const translation = SHIFTS[word[at]] ?? refuse(`"${word}": "${word[at]}" is no translation`);
    for (let i = 0; i < 3; i++) shift[i] += translation[i];
  }
  const operation = {
    rotation: isImproper ? negated(proper) : proper,
    shift: shift.map(modulo) as unknown as Vec3,
  };
  return { operation, previous: { order, axis: cellAxis } };
}

/** The operation relative to an origin moved by `origin` twelfths: t + v − R v. */
const movedOrigin = ({ rotation, shift }: ExactOperation, origin: Vec3): ExactOperation => {
  const moved = column(rotation, origin);
  return {
    rotation,
    shift: [0, 1, 2].map((i) => modulo(shift[i] + origin[i] - moved[i])) as unknown as Vec3,
  };
};

function decode(symbol: string): readonly SymmetryOperation[] {
  const refuse = (cause: string): never => {
    throw new CrystalError(
      'symmetry',
      `Hall symbol "${symbol.slice(0, 60)}": ${cause}; expected one such as "-P 2ybc"`,
    );
  };
  if (symbol.length > 80) refuse('it is too long');
  const [rotations, change = ''] = symbol.replaceAll('_', ' ').split('(');
  const words = rotations.split(' ').filter((word) => word !== '');
  const lattice = words.shift() ?? refuse('it is empty');
  const isCentred = lattice.startsWith('-');
  const centring =
    CENTRINGS[(isCentred ? lattice.slice(1) : lattice).toUpperCase()] ?? refuse(`"${lattice}" is no lattice`);
  if (words.length === 0 || words.length > 4) refuse(`it has ${words.length} rotations`);

  let generators: ExactOperation[] = centring.map((shift) => ({ rotation: IDENTITY, shift }));
  if (isCentred) generators.push({ rotation: negated(IDENTITY), shift: [0, 0, 0] });
  let previous: Previous | undefined;
  words.forEach((word, position) => {
    const rotation = readRotation(word, position, previous, refuse);
    generators.push(rotation.operation);
    previous = rotation.previous;
  });
  if (change !== '') {
    const origin = change
      .split(')')[0]
      .trim()
      .split(' ')
      .filter((word) => word !== '')
      .map(Number);
    if (origin.length !== 3 || !origin.every(Number.isInteger))
      refuse('its change of basis is not three twelfths');
    generators = generators.map((operation) => movedOrigin(operation, origin as unknown as Vec3));
  }
  return closure(generators, refuse).map(({ rotation, shift }) => ({
    rotation,
    translation: shift.map((twelfths) => twelfths / TWELFTHS) as unknown as Vec3,
  }));
}

/** Cache limit: files may contain symbols other than the 530 tabulated ones. */
const MAX_KEPT = 2000;
const decoded = new Map<string, readonly SymmetryOperation[]>();

/**
 * All operations of the group that a Hall symbol describes, including centring translations; the identity is the first.
 * Cached: the same text returns the same array. Underscores and repeated blanks are allowed; letter case matters.
 * @throws CrystalError `symmetry`, also for changes of basis other than a shift of the origin.
 * @example operationsFromHallSymbol('-P 2ybc').length === 4 // P 1 21/c 1
 */
export function operationsFromHallSymbol(symbol: string): readonly SymmetryOperation[] {
  let operations = decoded.get(symbol);
  if (!operations) {
    operations = decode(symbol);
    if (decoded.size >= MAX_KEPT) decoded.clear();
    decoded.set(symbol, operations);
  }
  return operations;
}
