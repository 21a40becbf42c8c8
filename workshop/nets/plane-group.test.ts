import { describe, expect, it } from 'vitest';
import {
  determinant2,
  inverse2,
  listNets,
  type Mat2,
  multiply2,
  type PlaneGroup,
  rowTimesMatrix2,
  type Vec2,
} from '@unitcell/tight-binding';
import { seededRandom } from '@unitcell/numerics';
import {
  type Affine,
  parseCoordinates,
  PLANE_GROUPS,
  standardSettings,
  wyckoffLetter,
} from './plane-group.ts';
import type { NetOperation } from './net-symmetry.ts';

describe('parseCoordinates', () => {
  it('reads a glide: x → x · A + t', () => {
    expect(parseCoordinates('-x+1/2,x-y')).toEqual({
      matrix: [
        [-1, 1],
        [0, -1],
      ],
      translation: [0.5, 0],
    });
  });
});

describe('wyckoffLetter', () => {
  it.each([
    ['p6mm', [0, 0], 'a'],
    ['p6mm', [2 / 3, 1 / 3], 'b'],
    ['p6mm', [0.5, 0.5], 'c'],
    ['p6mm', [0, 0.3], 'd'],
    ['p6mm', [0.2, 0.4], 'e'],
    ['p6mm', [0.1, 0.3], 'f'],
    ['p4gm', [0.5, 0], 'b'],
    ['p4gm', [0.36285, 0.13715], 'c'],
    ['c2mm', [0.75, 0.25], 'c'],
    ['p31m', [0.2, 0.2], 'c'],
    ['p3m1', [0.2, 0.1], 'd'],
    ['p2mg', [0.25, 0.3], 'c'],
  ] as const)('%s %j is on %s (International Tables A)', (group, point, letter) => {
    expect(wyckoffLetter(group, point)).toBe(letter);
  });

  it('the last letter of every group is the general position', () => {
    for (const group of Object.keys(PLANE_GROUPS) as PlaneGroup[])
      expect(wyckoffLetter(group, [0.1234, 0.3071])).toBe(
        'abcdefghi'[PLANE_GROUPS[group].positions.length - 1],
      );
  });
});

describe('the named nets', () => {
  it('occur in all 17 plane groups', () => {
    const seen = new Set(listNets().map(({ planeGroup }) => planeGroup));
    for (const group of seen) expect(Object.keys(PLANE_GROUPS)).toContain(group);
    expect(seen.size).toBeGreaterThanOrEqual(15);
  });

  it('have sites on the Wyckoff positions of their letters', () => {
    for (const net of listNets()) {
      const isCentred = net.planeGroup === 'cm' || net.planeGroup === 'c2mm';
      if (isCentred) continue;
      net.positions.forEach((position, site) =>
        expect(wyckoffLetter(net.planeGroup, position)).toBe(net.orbits[net.orbitOf[site]].wyckoff),
      );
    }
  });
});

// The 17 plane groups compared with International Tables A (2016), ch. 2.2: orders, positions, recognition
// from any basis and origin.

const GROUPS = Object.keys(PLANE_GROUPS) as PlaneGroup[];
/**
 * Points of a conventional cell on the positions a, b, c … (ibid.); the last multiplicity is the order of the
 * point group times the number of lattice points.
 */
const MULTIPLICITIES: Readonly<Record<PlaneGroup, readonly number[]>> = {
  p1: [1],
  p2: [1, 1, 1, 1, 2],
  pm: [1, 1, 2],
  pg: [2],
  cm: [2, 4],
  p2mm: [1, 1, 1, 1, 2, 2, 2, 2, 4],
  p2mg: [2, 2, 2, 4],
  p2gg: [2, 2, 4],
  c2mm: [2, 2, 4, 4, 4, 8],
  p4: [1, 1, 2, 4],
  p4mm: [1, 1, 2, 4, 4, 4, 8],
  p4gm: [2, 2, 4, 8],
  p3: [1, 1, 1, 3],
  p3m1: [1, 1, 1, 3, 6],
  p31m: [1, 2, 3, 6],
  p6: [1, 2, 3, 6],
  p6mm: [1, 2, 3, 6, 6, 12],
};

const random = seededRandom(41);
const integer = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
const isCentred = (group: PlaneGroup): boolean => group === 'cm' || group === 'c2mm';
const modulo = (x: number): number => {
  const inside = x - Math.floor(x);
  return inside > 1 - 1e-9 || inside < 1e-9 ? 0 : inside;
};
const compose = (a: Affine, b: Affine): Affine => {
  const [x, y] = rowTimesMatrix2(a.translation, b.matrix);
  return {
    matrix: multiply2(a.matrix, b.matrix),
    translation: [x + b.translation[0], y + b.translation[1]],
  };
};
const apply = ({ matrix, translation }: Affine, point: Vec2): Vec2 => {
  const [x, y] = rowTimesMatrix2(point, matrix);
  return [x + translation[0], y + translation[1]];
};
const keyOf = (values: readonly number[]): string => values.map((x) => (x + 0).toFixed(6)).join();

/** The group generated in the conventional cell, centring included, by closing under products. */
function groupOf(group: PlaneGroup): Affine[] {
  const texts = [...PLANE_GROUPS[group].generators, ...(isCentred(group) ? ['x+1/2,y+1/2'] : [])];
  const generators = texts.map(parseCoordinates);
  const found = [parseCoordinates('x,y')];
  const seen = new Set([keyOf([1, 0, 0, 1, 0, 0])]);
  for (const one of found)
    for (const generator of generators) {
      const { matrix, translation } = compose(one, generator);
      const next: Affine = { matrix, translation: [modulo(translation[0]), modulo(translation[1])] };
      const key = keyOf([...matrix.flat(), ...next.translation]);
      if (seen.has(key)) continue;
      seen.add(key);
      found.push(next);
    }
  return found;
}

/**
 * The operations in new axes (rows, in terms of the old axes) about the given origin; one operation per
 * matrix.
 */
function inAxes(operations: readonly Affine[], axes: Mat2, origin: Vec2): NetOperation[] {
  const back = inverse2(axes);
  const found = new Map<string, NetOperation>();
  for (const { matrix, translation } of operations) {
    const raw = multiply2(multiply2(axes, matrix), back);
    const rounded: Mat2 = [
      [Math.round(raw[0][0]), Math.round(raw[0][1])],
      [Math.round(raw[1][0]), Math.round(raw[1][1])],
    ];
    const moved = rowTimesMatrix2(origin, matrix);
    const shift: Vec2 = [translation[0] + moved[0] - origin[0], translation[1] + moved[1] - origin[1]];
    const key = keyOf(rounded.flat());
    if (!found.has(key))
      found.set(key, {
        matrix: rounded,
        translation: rowTimesMatrix2(shift, back),
        siteImages: [],
        cellImages: [],
      });
  }
  return [...found.values()];
}
/** A primitive basis in conventional axes. */
const primitiveAxes = (group: PlaneGroup): Mat2 =>
  isCentred(group)
    ? [
        [0.5, 0.5],
        [-0.5, 0.5],
      ]
    : [
        [1, 0],
        [0, 1],
      ];
describe.each(GROUPS)('%s', (group) => {
  const operations = groupOf(group);
  const order = MULTIPLICITIES[group].at(-1)!;

  it('has the order of the tables and is a group', () => {
    expect(operations).toHaveLength(order);
    const keys = new Set(
      operations.map(({ matrix, translation }) => keyOf([...matrix.flat(), ...translation.map(modulo)])),
    );
    for (const a of operations)
      for (const b of operations) {
        const { matrix, translation } = compose(a, b);
        expect(keys.has(keyOf([...matrix.flat(), ...translation.map(modulo)]))).toBe(true);
      }
    for (const { matrix } of operations) expect(Math.abs(determinant2(matrix))).toBe(1);
  });

  it('has positions with the tabulated multiplicities, each with its letter for every point of its orbit', () => {
    expect(PLANE_GROUPS[group].positions).toHaveLength(MULTIPLICITIES[group].length);
    PLANE_GROUPS[group].positions.forEach((text, index) => {
      const { matrix, translation } = parseCoordinates(text);
      const [x, y] = rowTimesMatrix2([0.1234, 0.3071], matrix);
      const point: Vec2 = [x + translation[0], y + translation[1]];
      const orbit = new Map(
        operations.map((operation) => {
          const image = apply(operation, point);
          return [keyOf(image.map(modulo)), image] as const;
        }),
      );
      expect(orbit.size).toBe(MULTIPLICITIES[group][index]);
      for (const [u, v] of orbit.values()) {
        const elsewhere: Vec2 = [u + integer(-3, 3), v + integer(-3, 3)];
        expect(wyckoffLetter(group, elsewhere)).toBe('abcdefghi'[index]);
      }
    });
  });

  it('is recognised whatever the origin', () => {
    for (let run = 0; run < 25; run++) {
      const settings = standardSettings(inAxes(operations, primitiveAxes(group), [random(), random()]));
      expect(new Set(settings.map((setting) => setting.group))).toEqual(new Set([group]));
    }
  });

  it('finds settings in which the operations equal those of the tables', () => {
    const primitive = primitiveAxes(group);
    const origin: Vec2 = [random(), random()];
    const own = inAxes(operations, primitive, origin);
    const settings = standardSettings(own);
    expect(settings.length).toBeGreaterThan(0);
    const inTables = new Set(operations.map(({ matrix }) => keyOf(matrix.flat())));
    for (const { basis, origin: found } of settings) {
      expect(determinant2(basis)).toBe(isCentred(group) ? 2 : 1);
      for (const { matrix, translation } of own) {
        const back = inverse2(basis);
        const turned = multiply2(multiply2(basis, matrix), back);
        expect(inTables.has(keyOf(turned.flat()))).toBe(true);
        // About the found origin, the operation belongs to the group, up to a lattice vector.
        const moved = rowTimesMatrix2(translation, back);
        const image = rowTimesMatrix2(found, turned);
        const shift = [moved[0] + image[0] - found[0], moved[1] + image[1] - found[1]];
        const isInTables = operations.some(
          (operation) =>
            keyOf(operation.matrix.flat()) === keyOf(turned.flat()) &&
            [0, 1].every((axis) => {
              const miss = shift[axis] - operation.translation[axis];
              return Math.abs(miss - Math.round(miss)) < 1e-6;
            }),
        );
        expect(isInTables).toBe(true);
      }
    }
  });
});

it('the multiplicities of the positions divide the order of the group', () => {
  for (const group of GROUPS)
    for (const count of MULTIPLICITIES[group]) expect(MULTIPLICITIES[group].at(-1)! % count).toBe(0);
});
