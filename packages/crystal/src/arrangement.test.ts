import { type Mat3, multiply3, rowTimesMatrix3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { ARRANGEMENT_LENGTH, arrangementDistance, arrangementOf, landmarkDistances } from './arrangement.ts';
import { cellVolume, latticeVectorsFromParameters } from './lattice.ts';
import { neighbourList } from './neighbours.ts';
import { orderedSite, type Structure, supercell } from './structure.ts';

const cell = (
  a: number,
  c: number,
  gamma: number,
  places: readonly (readonly [string, ...number[]])[],
): Structure => ({
  latticeVectors: latticeVectorsFromParameters({ a, b: a, c, alpha: 90, beta: 90, gamma }),
  sites: places.map(([element, x = 0, y = 0, z = 0]) => orderedSite(element, [x, y, z])),
});
const FCC = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
] as const;
const centred = (element: string, shift: number) =>
  FCC.map(([x, y, z]) => [element, x + shift, y + shift, z + shift] as const);
const rockSalt = (cation: string, anion: string, a: number) =>
  cell(a, a, 90, [...centred(cation, 0), ...centred(anion, 0.5)]);
const zincBlende = (cation: string, anion: string, a: number) =>
  cell(a, a, 90, [...centred(cation, 0), ...centred(anion, 0.25)]);
const copper = cell(3.61, 3.61, 90, centred('Cu', 0));
/** Ideal axial ratio c/a = √(8/3). */
const magnesium = cell(3.2, 3.2 * Math.sqrt(8 / 3), 120, [
  ['Mg', 1 / 3, 2 / 3, 0.25],
  ['Mg', 2 / 3, 1 / 3, 0.75],
]);
const iron = cell(2.87, 2.87, 90, [
  ['Fe', 0, 0, 0],
  ['Fe', 0.5, 0.5, 0.5],
]);
/** TiO2: Abrahams and Bernstein, J. Chem. Phys. 55 (1971) 3206. */
const rutile = (metal: string, anion: string, a: number, c: number, u: number) =>
  cell(a, c, 90, [
    [metal, 0, 0, 0],
    [metal, 0.5, 0.5, 0.5],
    [anion, u, u, 0],
    [anion, -u, -u, 0],
    [anion, 0.5 + u, 0.5 - u, 0.5],
    [anion, 0.5 - u, 0.5 + u, 0.5],
  ]);
const titania = rutile('Ti', 'O', 4.594, 2.959, 0.305);

const apart = (a: Structure, b: Structure) => arrangementDistance(arrangementOf(a), arrangementOf(b));

/** Describes a crystal in another way: rotated, shifted, permuted, repeated and sheared into another basis. */
function disguised({ latticeVectors, sites }: Structure, random: () => number): Structure {
  const [angle, tilt] = [2 * Math.PI * random(), 2 * Math.PI * random()];
  const [c, s, d, t] = [Math.cos(angle), Math.sin(angle), Math.cos(tilt), Math.sin(tilt)];
  const rotation = multiply3(
    [
      [c, s, 0],
      [-s, c, 0],
      [0, 0, 1],
    ],
    [
      [1, 0, 0],
      [0, d, t],
      [0, -t, d],
    ],
  );
  const shift: Vec3 = [random(), random(), random()];
  const shear: Mat3 = [
    [1, 0, 0],
    [Math.floor(3 * random()) - 1, 1, 0],
    [1, Math.floor(3 * random()) - 1, 1],
  ];
  const [, [m10], [m20, m21]] = shear;
  const inverse: Mat3 = [
    [1, 0, 0],
    [-m10, 1, 0],
    [m10 * m21 - m20, -m21, 1],
  ];
  const moved = sites.map((site) => ({
    ...site,
    fractionalCoords: rowTimesMatrix3(
      site.fractionalCoords.map((x, axis) => x + shift[axis]) as unknown as Vec3,
      inverse,
    ),
  }));
  const order = moved
    .map((site) => ({ site, at: random() }))
    .toSorted((p, q) => p.at - q.at)
    .map(({ site }) => site);
  const repeated = { latticeVectors: multiply3(multiply3(shear, latticeVectors), rotation), sites: order };
  return supercell(repeated, [1 + Math.floor(2 * random()), 1, 1 + Math.floor(2 * random())]);
}

describe('arrangementOf', () => {
  it('returns the same vector for any cell, orientation, origin and site order of a crystal', () => {
    const random = seededRandom(22);
    for (const crystal of [
      copper,
      magnesium,
      iron,
      titania,
      rockSalt('Na', 'Cl', 5.64),
      zincBlende('Zn', 'S', 5.41),
    ])
      for (let round = 0; round < 4; round++)
        expect(apart(crystal, disguised(crystal, random))).toBeLessThan(1e-5);
  });

  it('gives distance 1 for crystals with no interatomic distance in common, and never more than 1', () => {
    const only = (place: number) =>
      Float32Array.from({ length: ARRANGEMENT_LENGTH }, (_, k) => Number(k === place));
    expect(arrangementDistance(only(0), only(7))).toBeCloseTo(1, 12);
    expect(arrangementDistance(only(3), only(3))).toBe(0);
  });

  it('returns a vector of unit length without negative entries', () => {
    const vector = arrangementOf(titania);
    expect(vector).toHaveLength(ARRANGEMENT_LENGTH);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
    expect(Math.min(...vector)).toBeGreaterThanOrEqual(0);
  });

  it('does not distinguish crystals of one type by their elements or size', () => {
    expect(apart(rockSalt('Na', 'Cl', 5.64), rockSalt('Mg', 'O', 4.212))).toBeLessThan(1e-6);
    expect(apart(zincBlende('Ga', 'As', 5.653), zincBlende('Zn', 'S', 5.41))).toBeLessThan(1e-6);
    expect(apart(rockSalt('Na', 'Cl', 5.64), rockSalt('Cl', 'Na', 5.64))).toBeLessThan(1e-6);
  });

  it('distinguishes structure types that differ only in which sites share an element', () => {
    const polonium = cell(3.35, 3.35, 90, [['Po', 0, 0, 0]]);
    // If elements are ignored, the sites of rock salt form a simple cubic lattice, those of zinc blende
    // diamond.
    expect(apart(rockSalt('Na', 'Cl', 5.64), polonium)).toBeGreaterThan(0.2);
    expect(apart(zincBlende('Zn', 'S', 5.41), zincBlende('C', 'C', 3.57))).toBeGreaterThan(0.2);
  });

  it('gives smaller distances between types that chemists call similar than between other types', () => {
    const tinDioxide = rutile('Sn', 'O', 4.737, 3.186, 0.307);
    expect(apart(titania, tinDioxide)).toBeLessThan(apart(titania, rockSalt('Mg', 'O', 4.212)));
    expect(apart(titania, tinDioxide)).toBeLessThan(0.2);
    // Both close packings have twelve neighbours; the body-centred cubic structure has eight, and six slightly farther
    // away.
    expect(apart(copper, magnesium)).toBeLessThan(apart(copper, iron));
  });

  it('changes little when atoms move little', () => {
    const random = seededRandom(7);
    const shaken = (by: number): Structure => ({
      ...titania,
      sites: titania.sites.map((site) => ({
        ...site,
        fractionalCoords: site.fractionalCoords.map(
          (x) => x + (by * (random() - 0.5)) / 4,
        ) as unknown as Vec3,
      })),
    });
    expect(apart(titania, shaken(0.01))).toBeLessThan(0.05);
    expect(apart(titania, shaken(0.5))).toBeGreaterThan(0.05);
  });
});

describe('landmarkDistances', () => {
  it('for two crystals differ by no more than the distance between the crystals', () => {
    const crystals = [
      copper,
      magnesium,
      iron,
      titania,
      rockSalt('Na', 'Cl', 5.64),
      zincBlende('Zn', 'S', 5.41),
    ];
    for (const a of crystals)
      for (const b of crystals) {
        const [own, other] = [landmarkDistances(arrangementOf(a)), landmarkDistances(arrangementOf(b))];
        for (const axis of [0, 1, 2] as const)
          expect(Math.abs(own[axis] - other[axis])).toBeLessThanOrEqual(apart(a, b) + 1e-6);
      }
    expect(landmarkDistances(arrangementOf(copper))[0]).toBeLessThan(1e-6);
  });
});

it('arrangementOf equals the defining sum of Gaussians over every pair, counted from both sides', () => {
  const [nearest, farthest, step, width] = [0.4, 3, 0.05, 0.06];
  const half = ARRANGEMENT_LENGTH / 2;
  const mixed: Structure = {
    ...titania,
    sites: titania.sites.map((site, i) =>
      i > 1
        ? site
        : {
            ...site,
            species: [
              { element: 'Ti', occupancy: 0.75 },
              { element: 'Zr', occupancy: 0.2 },
            ],
          },
    ),
  };
  for (const structure of [titania, mixed]) {
    const atoms = structure.sites
      .flatMap(({ species }) => species)
      .reduce((sum, one) => sum + one.occupancy, 0);
    const edge = Math.cbrt(cellVolume(structure.latticeVectors) / atoms);
    const sum = Array.from({ length: ARRANGEMENT_LENGTH }, () => 0);
    neighbourList(structure, farthest * edge).forEach((neighbours, from) => {
      for (const { site, distance } of neighbours) {
        const length = distance / edge;
        const fading = (1 + Math.cos((Math.PI * length) / farthest)) / 2;
        const [a, b] = [structure.sites[from].species, structure.sites[site].species];
        const pairs = a.flatMap((one) =>
          b.map((other) => ({ one, other, share: one.occupancy * other.occupancy })),
        );
        const all = pairs.reduce((total, { share }) => total + share, 0);
        const same = pairs.reduce(
          (total, { one, other, share }) => total + (one.element === other.element ? share : 0),
          0,
        );
        for (let k = 0; k < half; k++) {
          const place = nearest + k * step;
          if (Math.abs(place - length) > 4 * width) continue;
          const weight = (fading * Math.exp(-(((place - length) / width) ** 2) / 2)) / place ** 2;
          sum[k] += all * weight;
          sum[half + k] += same * weight;
        }
      }
    });
    const size = Math.hypot(...sum);
    arrangementOf(structure).forEach((value, k) => expect(value).toBeCloseTo(sum[k] / size, 6));
  }
});
