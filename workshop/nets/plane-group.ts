/**
 * The 17 plane groups: recognition, standard setting and Wyckoff letters (International Tables for
 * Crystallography, Vol. A, ch. 2.2 of the 2016 edition: the plane groups; hexagonal axes at 120°).
 */
import {
  determinant2,
  inverse2,
  type Mat2,
  multiply2,
  type PlaneGroup,
  rowTimesMatrix2,
  type Vec2,
} from '@unitcell/tight-binding';

interface GroupData {
  /** Generators as coordinate triplets; lattice translations are implied. */
  readonly generators: readonly string[];
  /** Wyckoff positions from a on: one representative each. */
  readonly positions: readonly string[];
}

export const PLANE_GROUPS = {
  p1: { generators: [], positions: ['x,y'] },
  p2: { generators: ['-x,-y'], positions: ['0,0', '0,1/2', '1/2,0', '1/2,1/2', 'x,y'] },
  pm: { generators: ['-x,y'], positions: ['0,y', '1/2,y', 'x,y'] },
  pg: { generators: ['-x,y+1/2'], positions: ['x,y'] },
  cm: { generators: ['-x,y'], positions: ['0,y', 'x,y'] },
  p2mm: {
    generators: ['-x,-y', '-x,y'],
    positions: ['0,0', '0,1/2', '1/2,0', '1/2,1/2', 'x,0', 'x,1/2', '0,y', '1/2,y', 'x,y'],
  },
  p2mg: { generators: ['-x,-y', '-x+1/2,y'], positions: ['0,0', '0,1/2', '1/4,y', 'x,y'] },
  p2gg: { generators: ['-x,-y', '-x+1/2,y+1/2'], positions: ['0,0', '1/2,0', 'x,y'] },
  c2mm: { generators: ['-x,-y', '-x,y'], positions: ['0,0', '0,1/2', '1/4,1/4', 'x,0', '0,y', 'x,y'] },
  p4: { generators: ['-y,x'], positions: ['0,0', '1/2,1/2', '1/2,0', 'x,y'] },
  p4mm: {
    generators: ['-y,x', '-x,y'],
    positions: ['0,0', '1/2,1/2', '1/2,0', 'x,0', 'x,1/2', 'x,x', 'x,y'],
  },
  p4gm: { generators: ['-y,x', '-x+1/2,y+1/2'], positions: ['0,0', '1/2,0', 'x,x+1/2', 'x,y'] },
  p3: { generators: ['-y,x-y'], positions: ['0,0', '1/3,2/3', '2/3,1/3', 'x,y'] },
  p3m1: { generators: ['-y,x-y', '-y,-x'], positions: ['0,0', '1/3,2/3', '2/3,1/3', 'x,-x', 'x,y'] },
  p31m: { generators: ['-y,x-y', 'y,x'], positions: ['0,0', '1/3,2/3', 'x,0', 'x,y'] },
  p6: { generators: ['x-y,x'], positions: ['0,0', '1/3,2/3', '1/2,0', 'x,y'] },
  p6mm: { generators: ['x-y,x', '-y,-x'], positions: ['0,0', '1/3,2/3', '1/2,0', 'x,0', 'x,-x', 'x,y'] },
} as const satisfies Record<PlaneGroup, GroupData>;

export interface Affine {
  readonly matrix: Mat2;
  readonly translation: Vec2;
}

/** Parses `-x+1/2,x-y` as an affine map on row vectors. */
export function parseCoordinates(text: string): Affine {
  const columns = text.split(',').map((part) => {
    let [x, y, constant] = [0, 0, 0];
    for (const [term] of part.matchAll(/[+-]?[^+-]+/g)) {
      const sign = term.startsWith('-') ? -1 : 1;
      const body = term.replace(/^[+-]/, '');
      if (body === 'x') x += sign;
      else if (body === 'y') y += sign;
      else {
        const [numerator, denominator = '1'] = body.split('/');
        constant += (sign * Number(numerator)) / Number(denominator);
      }
    }
    return [x, y, constant] as const;
  });
  const [u, v] = columns;
  return {
    matrix: [
      [u[0], v[0]],
      [u[1], v[1]],
    ],
    translation: [u[2], v[2]],
  };
}

/** Fractions closer than this to a special value are equal to it: operations are exact to about 1e-12. */
export const SETTING_TOLERANCE = 1e-5;
/** Entries of operations, and lengths made of them, are integers within this. */
const MATRIX_TOLERANCE = 1e-9;

const isInteger = (x: number) => Math.abs(x - Math.round(x)) < SETTING_TOLERANCE;
const isCentred = (group: PlaneGroup) => group === 'cm' || group === 'c2mm';
/** Non-integer lattice vectors of the conventional cell (centring). */
const centrings = (group: PlaneGroup): readonly Vec2[] =>
  isCentred(group)
    ? [
        [0, 0],
        [0.5, 0.5],
      ]
    : [[0, 0]];
const isLatticeVector = (group: PlaneGroup, v: Vec2) =>
  centrings(group).some((c) => isInteger(v[0] - c[0]) && isInteger(v[1] - c[1]));

/** All operations of a group in its standard setting, modulo the lattice. */
function standardOperations(group: PlaneGroup): Affine[] {
  const generators = PLANE_GROUPS[group].generators.map(parseCoordinates);
  const list: Affine[] = [parseCoordinates('x,y')];
  for (const operation of list)
    for (const generator of generators) {
      const matrix = multiply2(operation.matrix, generator.matrix);
      if (list.some((known) => sameMatrix(known.matrix, matrix))) continue;
      const [x, y] = rowTimesMatrix2(operation.translation, generator.matrix);
      list.push({ matrix, translation: [x + generator.translation[0], y + generator.translation[1]] });
    }
  return list;
}

const sameMatrix = (a: Mat2, b: Mat2) =>
  a.every((row, r) => row.every((x, c) => Math.abs(x - b[r][c]) < MATRIX_TOLERANCE));

export interface Setting {
  readonly group: PlaneGroup;
  /** Rows: conventional axes in terms of the primitive axes. */
  readonly basis: Mat2;
  /** Origin of the standard setting, in conventional axes measured from the old origin. */
  readonly origin: Vec2;
}

/**
 * Every standard setting of the operations: their group, conventional axes (right-handed, found among short vectors,
 * so the primitive basis must be reduced) and origin. Free origins (p1, pm, pg, cm) are not moved.
 * @throws Error when the operations are those of no group
 */
export function standardSettings(operations: readonly Affine[]): Setting[] {
  for (const group of Object.keys(PLANE_GROUPS) as PlaneGroup[]) {
    const settings = settingsOf(group, operations);
    if (settings.length > 0) return settings;
  }
  throw new Error('the operations are those of no plane group');
}

function settingsOf(group: PlaneGroup, operations: readonly Affine[]): Setting[] {
  const standard = standardOperations(group);
  if (standard.length !== operations.length) return [];
  return conventionalBases(group, operations, standard).flatMap((basis) => {
    const own = operations.map(
      ({ matrix, translation }): Affine => ({
        matrix: multiply2(multiply2(basis, matrix), inverse2(basis)),
        translation: rowTimesMatrix2(translation, inverse2(basis)),
      }),
    );
    return originCandidates(own, standard)
      .filter((origin) =>
        own.every(({ matrix, translation }) => {
          const target = standard.find((operation) => sameMatrix(operation.matrix, matrix))!;
          const [x, y] = rowTimesMatrix2(origin, matrix);
          return isLatticeVector(group, [
            x - origin[0] + translation[0] - target.translation[0],
            y - origin[1] + translation[1] - target.translation[1],
          ]);
        }),
      )
      .map((origin) => ({ group, basis, origin }));
  });
}

function conventionalBases(
  group: PlaneGroup,
  operations: readonly Affine[],
  standard: readonly Affine[],
): Mat2[] {
  const range = [-2, -1, 0, 1, 2];
  const vectors = range.flatMap((x) => range.map((y): Vec2 => [x, y]));
  const volume = isCentred(group) ? 2 : 1;
  const isOblique = group === 'p1' || group === 'p2';
  return (
    isOblique ? [parseCoordinates('x,y').matrix] : vectors.flatMap((a) => vectors.map((b): Mat2 => [a, b]))
  ).filter((basis) => {
    if (determinant2(basis) !== volume) return false;
    if (
      isCentred(group) &&
      basis.some(([x, y], r) => (x + basis[1 - r][0]) % 2 !== 0 || (y + basis[1 - r][1]) % 2 !== 0)
    )
      return false;
    const inverse = inverse2(basis);
    return operations.every(({ matrix }) => {
      const own = multiply2(multiply2(basis, matrix), inverse);
      return standard.some((operation) => sameMatrix(operation.matrix, own));
    });
  });
}

/** Solutions of o(A − 1) = t_standard − t + lattice vector for the operation that determines the origin best. */
function originCandidates(own: readonly Affine[], standard: readonly Affine[]): Vec2[] {
  const steps = [0, 0.5, 1, 1.5, 2, 2.5];
  const wrap = (x: number) => x - Math.floor(x + SETTING_TOLERANCE);
  const unique = (list: Vec2[]) =>
    list.filter((a, i) => list.findIndex((b) => isInteger(a[0] - b[0]) && isInteger(a[1] - b[1])) === i);
  const target = (operation: Affine) =>
    standard.find(({ matrix }) => sameMatrix(matrix, operation.matrix))!.translation;
  const pinning = (operation: Affine) => {
    const [[a, b], [c, d]] = operation.matrix;
    return determinant2([
      [a - 1, b],
      [c, d - 1],
    ]);
  };
  const rotation = own.find(
    (operation) => Math.abs(pinning(operation)) > 0.5 && determinant2(operation.matrix) > 0,
  );
  if (rotation) {
    const [[a, b], [c, d]] = rotation.matrix;
    const solver = inverse2([
      [a - 1, b],
      [c, d - 1],
    ]);
    const [tx, ty] = target(rotation);
    return unique(
      steps.flatMap((x) =>
        steps.map((y): Vec2 => {
          const [u, v] = rowTimesMatrix2(
            [tx - rotation.translation[0] + x, ty - rotation.translation[1] + y],
            solver,
          );
          return [wrap(u), wrap(v)];
        }),
      ),
    );
  }
  const reflection = own.find(({ matrix }) => determinant2(matrix) < 0);
  if (!reflection) return [[0, 0]];
  const [tx] = target(reflection);
  return unique(steps.map((x): Vec2 => [wrap((reflection.translation[0] - tx + x) / 2), 0]));
}

/** Wyckoff letter of a point (conventional axes, standard setting). */
export function wyckoffLetter(group: PlaneGroup, point: Vec2): string {
  const operations = standardOperations(group);
  const { positions } = PLANE_GROUPS[group];
  for (const [index, text] of positions.entries()) {
    const { matrix, translation } = parseCoordinates(text);
    const matches = operations.some((operation) => {
      const [x, y] = rowTimesMatrix2(point, operation.matrix);
      const image: Vec2 = [x + operation.translation[0], y + operation.translation[1]];
      return centrings(group).some((c) => liesOn([image[0] + c[0], image[1] + c[1]], matrix, translation));
    });
    if (matches) return 'abcdefghi'[index];
  }
  throw new Error(`the point ${point.join(', ')} fits no Wyckoff position of ${group}`);
}

/** Whether a point lies, modulo the lattice, on the point, line or plane u → u·matrix + translation. */
function liesOn(point: Vec2, matrix: Mat2, translation: Vec2): boolean {
  const direction: Vec2 = matrix[0][0] !== 0 || matrix[0][1] !== 0 ? matrix[0] : matrix[1];
  const [x, y] = [point[0] - translation[0], point[1] - translation[1]];
  if (determinant2(matrix) !== 0) return true;
  if (direction[0] === 0 && direction[1] === 0) return isInteger(x) && isInteger(y);
  // Distance perpendicular to the line, in units of the spacing of lattice rows parallel to it.
  return isInteger(x * direction[1] - y * direction[0]);
}
