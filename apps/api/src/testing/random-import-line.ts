/** Random import lines for round trips, with every field and with crystals in any cell and orientation. */
import { type Structure, toPymatgenDict } from '@unitcell/crystal';
import { type FieldName, fieldOf, NOTHING_GIVEN, place, placedNames } from '@unitcell/material';
import {
  add3,
  determinant3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import fc from 'fast-check';

export interface RandomMaterial {
  readonly line: ReturnType<typeof lineOf>;
  /** A primitive cell in the frame of the line. */
  readonly primitive: Structure;
  /** Number of primitive cells in the line's cell. */
  readonly cells: number;
}

/** Numbers with the same digits in JSON, PostgreSQL and JavaScript. */
const real = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: min * 1000, max: max * 1000 }).map((n) => n / 1000);
const rows = (count: number, length: number, largest = 300): fc.Arbitrary<number[][]> =>
  fc.array(fc.array(real(-largest, largest), { minLength: length, maxLength: length }), {
    minLength: count,
    maxLength: count,
  });
const vector = (min: number, max: number): fc.Arbitrary<Vec3> =>
  fc.tuple(real(min, max), real(min, max), real(min, max));
/** A symmetric matrix that is positive definite because of its large diagonal. */
const symmetric = (size: number, diagonal: readonly [number, number], other: number) =>
  fc
    .tuple(rows(size, size, other), fc.array(real(...diagonal), { minLength: size, maxLength: size }))
    .map(([matrix, ends]) =>
      matrix.map((row, i) =>
        row.map((_, j) => (i === j ? ends[i]! : matrix[Math.min(i, j)]![Math.max(i, j)]!)),
      ),
    );
const permittivity = symmetric(3, [6, 20], 2);
const reciprocal = fc.tuple(vector(-2, 2), vector(-2, 2), vector(-2, 2));
const word = fc.string({ unit: fc.constantFrom(...Array.from('abcXYZ 019-_é中文✓"\\{}')), maxLength: 12 });

/** A rotation from a quaternion. */
const rotation: fc.Arbitrary<Mat3> = fc
  .tuple(real(-1, 1), real(-1, 1), real(-1, 1), real(-1, 1))
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q): Mat3 => {
    const [w, x, y, z] = q.map((part) => part / Math.hypot(...q)) as [number, number, number, number];
    return [
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
  });

type Place = readonly [element: string, at: Vec3, occupancy?: number];

const crystal = (latticeVectors: Mat3, places: readonly Place[]): Structure => ({
  latticeVectors,
  sites: places.map(([element, fractionalCoords, occupancy = 1]) => ({
    species: [{ element, occupancy }],
    fractionalCoords,
  })),
});

/** Smallest distance between sites of a random crystal, Å. */
const APART = 1.4;

const isSpread = ({ latticeVectors, sites }: Structure): boolean =>
  sites.every((first, i) =>
    sites.slice(i + 1).every((second) => {
      const [x, y, z] = [0, 1, 2].map((axis) => {
        const step = (first.fractionalCoords[axis] ?? 0) - (second.fractionalCoords[axis] ?? 0);
        return step - Math.round(step);
      }) as [number, number, number];
      return norm3(rowTimesMatrix3([x, y, z], latticeVectors)) > APART;
    }),
  );

/**
 * A crystal without symmetry: different atoms at random positions in a triclinic cell. One site may be partially
 * occupied.
 */
const crooked: fc.Arbitrary<Structure> = fc
  .tuple(
    fc.tuple(real(4, 5), real(5.2, 6), real(6.2, 7)),
    fc.tuple(real(0.4, 0.8), real(-0.8, -0.4), real(0.4, 0.8)),
    fc.shuffledSubarray(['Li', 'Mg', 'Al', 'Si', 'Ti', 'Fe', 'Zn', 'O', 'F', 'S'], {
      minLength: 3,
      maxLength: 4,
    }),
    fc.array(vector(0, 0.999), { minLength: 4, maxLength: 4 }),
    fc.constantFrom(1, 1, 0.75),
  )
  .map(([[a, b, c], [xy, xz, yz], elements, positions, occupancy]) =>
    crystal(
      [
        [a, 0, 0],
        [xy, b, 0],
        [xz, yz, c],
      ],
      elements.map((element, i): Place => [element, positions[i]!, i === 0 ? occupancy : 1]),
    ),
  )
  .filter(isSpread);

const SQRT3_2 = Math.sqrt(3) / 2;
const wurtzite: Structure = crystal(
  [
    [3.25, 0, 0],
    [-1.625, 3.25 * SQRT3_2, 0],
    [0, 0, 5.2],
  ],
  [
    ['Zn', [1 / 3, 2 / 3, 0]],
    ['Zn', [2 / 3, 1 / 3, 0.5]],
    ['O', [1 / 3, 2 / 3, 0.382]],
    ['O', [2 / 3, 1 / 3, 0.882]],
  ],
);
const bodyCentred: Structure = crystal(
  [
    [-1.433, 1.433, 1.433],
    [1.433, -1.433, 1.433],
    [1.433, 1.433, -1.433],
  ],
  [['Fe', [0, 0, 0]]],
);

/**
 * Cells that a source may give: rows in terms of the primitive vectors. The last is the cubic cell of a
 * body-centred lattice.
 */
const CELLS: readonly Mat3[] = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [1, 0, 0],
    [1, 1, 0],
    [0, -1, 1],
  ],
  [
    [2, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0, 1, 1],
    [1, 0, 1],
    [1, 1, 0],
  ],
];

const STEPS = [-2, -1, 0, 1, 2];
const isInside = (x: number): boolean => x > -1e-9 && x < 1 - 1e-9;

/** Describes a crystal with other cell vectors, with the sites of all primitive cells inside. */
function onAxes({ latticeVectors, sites }: Structure, axes: Mat3): Structure {
  const inverse = inverse3(axes);
  const cells = STEPS.flatMap((i) => STEPS.flatMap((j) => STEPS.map((k): Vec3 => [i, j, k])));
  return {
    latticeVectors: multiply3(axes, latticeVectors),
    sites: sites.flatMap((site) =>
      cells
        .map((cell) => rowTimesMatrix3(add3(site.fractionalCoords, cell), inverse))
        .filter((at) => at.every(isInside))
        .map((fractionalCoords) => ({ ...site, fractionalCoords })),
    ),
  };
}

const rotated = ({ latticeVectors, sites }: Structure, matrix: Mat3): Structure => ({
  latticeVectors: multiply3(latticeVectors, transpose3(matrix)),
  sites,
});

const bands = (functional: string) =>
  fc.record(
    {
      functional: fc.constant(functional),
      kPoints: fc.constant([
        [0, 0, 0],
        [0.5, 0, 0],
      ]),
      labels: fc.constant([{ index: 0, label: '\\Gamma' }]),
      kDistance: fc.constant([0, 0.61]),
      spinUp: rows(2, 3),
      spinDown: rows(2, 3),
      fermiEnergy: real(-5, 5),
      reciprocalLattice: reciprocal,
    },
    { requiredKeys: ['functional', 'kPoints', 'labels', 'kDistance', 'spinUp', 'fermiEnergy'] },
  );

const curve = fc.array(real(0, 40), { minLength: 3, maxLength: 3 });
const dos = (functional: string) =>
  fc.record(
    {
      functional: fc.constant(functional),
      energies: fc.constant([-1, 0, 1]),
      total: curve,
      totalDown: curve,
      projected: fc.record({ 'Ti d': curve }),
      fermiEnergy: real(-5, 5),
    },
    { requiredKeys: ['functional', 'energies', 'total', 'fermiEnergy'] },
  );

const both = <T>(of: (functional: string) => fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.oneof(
    of('PBE').map((one) => [one]),
    fc.tuple(of('HSE06'), of('PBE')),
  );

/** All fields of a line besides its structure; optional keys are left out at random. */
const properties = fc.record(
  {
    formation_energy_per_atom: real(-4, 1),
    energy: real(-90, -1),
    functional: fc.constantFrom('PBE (MP 2018)', 'r2SCAN'),
    energies: fc.constant([
      {
        functional: 'experiment-298K',
        formation_energy_per_atom: -1.25,
        source: { name: 'tables', year: 1995 },
      },
      { functional: 'PBE (own)', energy: -31.5 },
    ]),
    elastic_tensor: symmetric(6, [250, 500], 40),
    dielectric: fc.record(
      { electronic: permittivity, total: permittivity },
      { requiredKeys: ['electronic'] },
    ),
    piezoelectric_total: rows(3, 6),
    topology: fc.record({ labels: fc.constant(['class', 'n']), rows: fc.constant([{ class: 'Z2', n: 1 }]) }),
    bands: both(bands),
    dos: both(dos),
    provenance: fc.record(
      {
        calculated_at: fc.constantFrom('2024-05-01', '2026-11-22T04:00:00Z'),
        engine_version: word,
        potcar_symbols: fc.array(word, { maxLength: 2 }),
        hubbards: fc.constantFrom({}, { Fe: 5.3 }),
        observed: fc.record({ status: fc.constantFrom('observed', 'computed only'), evidence: word }),
      },
      { requiredKeys: ['calculated_at', 'engine_version', 'potcar_symbols', 'hubbards'] },
    ),
  },
  { requiredKeys: [] },
);

/** Values of a field of the table; the name of a source is required and never empty. */
function valuesOf(name: FieldName): fc.Arbitrary<unknown> {
  const field = fieldOf(name);
  switch (field.kind) {
    case 'number':
      return real(field.min ?? -90, 90);
    case 'flag':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...Object.keys(field.options));
    case 'url':
      return word.map((text) => `https://example.org/${encodeURIComponent(text)}`);
    case 'text':
      return word.map((text) => `text ${text}`);
    default:
      throw new Error(`${name}: no line gives a field of this kind`);
  }
}

/** The scalars of a line, each left out at random. */
const scalars = fc
  .record(Object.fromEntries(placedNames('line').map((name) => [name, valuesOf(name)])), {
    requiredKeys: ['sourceName'],
  })
  .map((given) => {
    const { names, source, ...line } = place(
      'line',
      Object.assign({ ...NOTHING_GIVEN, sourceName: '' }, given),
    );
    return { ...line, names, source };
  });

type SearchStatement = typeof properties extends fc.Arbitrary<infer T> ? T : never;
type Given = typeof scalars extends fc.Arbitrary<infer T> ? T : never;

const lineOf = (structure: Structure, said: SearchStatement, given: Given) => ({
  ...said,
  ...given,
  structure: toPymatgenDict(structure),
});

const crystals = fc.oneof(
  { weight: 4, arbitrary: crooked },
  { weight: 1, arbitrary: fc.constantFrom(wurtzite, bodyCentred) },
);
/** A source's statement about a crystal, in its own cell and orientation. */
const statements = fc.tuple(rotation, fc.constantFrom(...CELLS), properties, scalars);
type Statement = typeof statements extends fc.Arbitrary<infer T> ? T : never;

function materialOf(base: Structure, [matrix, axes, said, given]: Statement): RandomMaterial {
  const primitive = rotated(base, matrix);
  return {
    line: lineOf(onAxes(primitive, axes), said, given),
    primitive,
    cells: Math.abs(determinant3(axes)),
  };
}

export const randomMaterial: fc.Arbitrary<RandomMaterial> = fc
  .tuple(crystals, statements)
  .map(([base, statement]) => materialOf(base, statement));

/** Two sources of one crystal. */
export const randomSources: fc.Arbitrary<readonly [RandomMaterial, RandomMaterial]> = fc
  .tuple(crooked, statements, statements)
  .map(([base, first, second]) => [materialOf(base, first), materialOf(base, second)] as const);
