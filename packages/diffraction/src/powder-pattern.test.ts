import { referenceCases } from '@unitcell/tools/shared-data';
import { latticeVectorsFromParameters, orderedSite, type Structure } from '@unitcell/crystal';
import { type Mat3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { MAX_PACKED_LINES, packedPatternOf, packPattern, unpackPattern } from './pattern-index.ts';
import { powderPattern } from './powder-pattern.ts';
import { RADIATION_SOURCES, radiationSource } from './radiation.ts';

interface XrdInput {
  structure: {
    lattice: { matrix: Mat3 };
    sites: { species: { element: string; occu: number }[]; abc: Vec3 }[];
  };
  two_theta_range: [number, number];
}
interface XrdExpected {
  wavelength: number;
  listed_min_group_intensity: number;
  peaks: {
    two_theta: number;
    intensity: number;
    d: number;
    hkls: { hkl: number[]; multiplicity: number }[];
  }[];
}

const structureOf = (input: XrdInput): Structure => ({
  latticeVectors: input.structure.lattice.matrix,
  sites: input.structure.sites.map((site) => ({
    species: site.species.map(({ element, occu }) => ({ element, occupancy: occu })),
    fractionalCoords: site.abc,
  })),
});

/**
 * Groups reference peaks closer than 0.01°: their cells are symmetric only to five digits, which splits the
 * forms.
 */
function grouped(peaks: XrdExpected['peaks']): XrdExpected['peaks'][] {
  const groups: XrdExpected['peaks'][] = [];
  for (const peak of peaks) {
    const last = groups.at(-1)?.at(-1);
    if (last && peak.two_theta - last.two_theta < 0.01) groups.at(-1)!.push(peak);
    else groups.push([peak]);
  }
  return groups;
}

describe('powderPattern: reference cases', () => {
  const cases = referenceCases<XrdInput, Record<string, XrdExpected>>('xrd');
  it.each(cases.flatMap((one) => Object.keys(one.expected).map((source) => [one.id, source, one] as const)))(
    '%s, %s: grouped peaks agree',
    (_, source, one) => {
      const expected = one.expected[source];
      const { peaks } = powderPattern(structureOf(one.input), {
        source,
        twoThetaRangeDeg: one.input.two_theta_range,
      });
      const tolerance = one.tolerance;
      const problems: string[] = [];
      const check = (what: string, mine: number, reference: number, allowed: number): void => {
        if (!(Math.abs(mine - reference) <= allowed))
          problems.push(`${what}: ${mine}, reference ${reference}`);
      };
      const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
      for (const group of grouped(expected.peaks)) {
        const [first, last] = [group[0], group.at(-1)!];
        const mine = peaks.filter(
          (peak) => peak.twoThetaDeg >= first.two_theta - 0.002 && peak.twoThetaDeg <= last.two_theta + 0.002,
        );
        const intensities = [
          sum(mine.map((peak) => peak.intensity)),
          sum(group.map((peak) => peak.intensity)),
        ] as const;
        check(
          `intensity at ${first.two_theta}`,
          ...intensities,
          tolerance['intensity_abs_same_scattering_table'],
        );
        if (group.length > 1 || !mine[0]) continue;
        check('angle', mine[0].twoThetaDeg, first.two_theta, tolerance['two_theta_abs_deg']);
        check('spacing', mine[0].dSpacing, first.d, tolerance['d_abs_angstrom']);
        const multiplicity = sum(mine.flatMap((peak) => peak.hkls.map((form) => form.multiplicity)));
        check('multiplicity', multiplicity, sum(first.hkls.map((form) => form.multiplicity)), 0);
      }
      expect(problems).toEqual([]);
      expect(Math.max(...peaks.map((peak) => peak.intensity))).toBeCloseTo(100, 9);
    },
  );
});

const rockSalt: Structure = {
  latticeVectors: [
    [5.64, 0, 0],
    [0, 5.64, 0],
    [0, 0, 5.64],
  ],
  sites: (
    [
      [0, 0, 0],
      [0, 0.5, 0.5],
      [0.5, 0, 0.5],
      [0.5, 0.5, 0],
    ] as const
  ).flatMap(([x, y, z]) => [orderedSite('Na', [x, y, z]), orderedSite('Cl', [x + 0.5, y, z])]),
};

const hexagonalZincOxide: Structure = {
  latticeVectors: latticeVectorsFromParameters({
    a: 3.2495,
    b: 3.2495,
    c: 5.2069,
    alpha: 90,
    beta: 90,
    gamma: 120,
  }),
  sites: [
    orderedSite('Zn', [1 / 3, 2 / 3, 0]),
    orderedSite('Zn', [2 / 3, 1 / 3, 0.5]),
    orderedSite('O', [1 / 3, 2 / 3, 0.3821]),
    orderedSite('O', [2 / 3, 1 / 3, 0.8821]),
  ],
};

/** All 48 signed permutations: the point group of the cubic lattice. */
const cubicRotations: Mat3[] = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
].flatMap((order) =>
  Array.from({ length: 8 }, (_, signs) =>
    order.map((column, row) => [0, 1, 2].map((j) => (j === column ? ((signs >> row) & 1 ? -1 : 1) : 0))),
  ),
) as unknown as Mat3[];

const randomStructure = (seed: number): Structure => {
  const random = seededRandom(seed);
  const row = (length: number, axis: number): Vec3 =>
    [0, 1, 2].map((j) => (j === axis ? length : (random() - 0.5) * 1.5)) as unknown as Vec3;
  return {
    latticeVectors: [row(4 + random(), 0), row(5 + random(), 1), row(6 + random(), 2)],
    sites: ['Si', 'O', 'O', 'Fe', 'Li'].map((element) => ({
      species: [{ element, occupancy: 0.5 + random() / 2 }],
      fractionalCoords: [random(), random(), random()],
    })),
  };
};

describe('powderPattern', () => {
  it('rock salt has only reflections with indices all even or all odd, with the multiplicities of cubic forms', () => {
    const { peaks } = powderPattern(rockSalt, { twoThetaRangeDeg: [0, 90] });
    expect(peaks.slice(0, 5).map((peak) => [peak.hkls[0]?.hkl.join(''), peak.hkls[0]?.multiplicity])).toEqual(
      [
        ['111', 8],
        ['200', 6],
        ['220', 12],
        ['311', 24],
        ['222', 8],
      ],
    );
    // Bragg's law by hand: d(200) = 2.82 Å, 2θ = 2 asin(1.54184 / 5.64) = 31.7305°.
    expect(peaks[1]?.dSpacing).toBeCloseTo(2.82, 10);
    expect(peaks[1]?.twoThetaDeg).toBeCloseTo(31.7305, 3);
    expect(peaks[1]?.intensity).toBe(100);
  });

  it('shows peaks down to 10⁻⁵ of the strongest, as from sites with nearly equal occupancies', () => {
    // CsCl type with one element on both sites: |F|² = f²(2 − δ)² for h + k + l even and f²δ² for odd.
    const ironAt = (missing: number) =>
      powderPattern({
        latticeVectors: rockSalt.latticeVectors,
        sites: [
          orderedSite('Fe', [0, 0, 0]),
          { species: [{ element: 'Fe', occupancy: 1 - missing }], fractionalCoords: [0.5, 0.5, 0.5] },
        ],
      }).peaks.find(({ hkls }) => hkls[0].hkl.join('') === '100')?.intensity;
    const squareOf = (missing: number) => (missing / (2 - missing)) ** 2;
    const unit = ironAt(0.5)! / squareOf(0.5);
    const missingFor = (intensity: number) => {
      const share = Math.sqrt(intensity / unit);
      return (2 * share) / (1 + share);
    };
    expect(ironAt(missingFor(1.1e-3))).toBeCloseTo(1.1e-3, 8);
    expect(ironAt(missingFor(0.9e-3))).toBeUndefined();
  });

  it('joins forms of equal spacing, 333 and 511, in one peak that lists both', () => {
    const peak = powderPattern(rockSalt, { twoThetaRangeDeg: [80, 100] }).peaks.find(
      (one) => one.hkls.length === 2,
    );
    expect(peak?.hkls).toEqual([
      { hkl: [5, 1, 1], multiplicity: 24 },
      { hkl: [3, 3, 3], multiplicity: 8 },
    ]);
  });

  it('using the symmetry of the crystal does not change the result', () => {
    const all = powderPattern(rockSalt, { source: 'MoKa' });
    const reduced = powderPattern(rockSalt, { source: 'MoKa', symmetryRotations: cubicRotations });
    expect(reduced.peaks.map((peak) => peak.hkls)).toEqual(all.peaks.map((peak) => peak.hkls));
    for (const [i, peak] of all.peaks.entries())
      expect(reduced.peaks[i]?.intensity).toBeCloseTo(peak.intensity, 8);
  });

  it('gives four indices with i = −h − k for a hexagonal cell', () => {
    const { peaks } = powderPattern(hexagonalZincOxide);
    expect(peaks.slice(0, 3).map((peak) => peak.hkls[0])).toEqual([
      { hkl: [1, 0, -1, 0], multiplicity: 6 },
      { hkl: [0, 0, 0, 2], multiplicity: 2 },
      { hkl: [1, 0, -1, 1], multiplicity: 12 },
    ]);
    for (const peak of peaks) for (const { hkl } of peak.hkls) expect(hkl[0] + hkl[1] + hkl[2]).toBe(0);
  });

  it.each([1, 2, 3])(
    'does not depend on origin shift, lattice translations and site order (seed %i)',
    (seed) => {
      const structure = randomStructure(seed);
      const moved: Structure = {
        ...structure,
        sites: structure.sites
          .map((site, index) => ({
            ...site,
            fractionalCoords: site.fractionalCoords.map(
              (x, axis) => x + 0.217 * (axis + 1) + index - 2,
            ) as unknown as Vec3,
          }))
          .toReversed(),
      };
      const [one, two] = [powderPattern(structure), powderPattern(moved)];
      expect(two.peaks.length).toBe(one.peaks.length);
      for (const [i, peak] of one.peaks.entries())
        expect(two.peaks[i]?.intensity).toBeCloseTo(peak.intensity, 6);
    },
  );

  it('is the same for a supercell', () => {
    const structure = randomStructure(4);
    const [a, b, c] = structure.latticeVectors;
    const doubled: Structure = {
      latticeVectors: [a, b, [2 * c[0], 2 * c[1], 2 * c[2]]],
      sites: structure.sites.flatMap((site) =>
        [0, 0.5].map((shift) => {
          const [x, y, z] = site.fractionalCoords;
          return { ...site, fractionalCoords: [x, y, z / 2 + shift] as Vec3 };
        }),
      ),
    };
    const [one, two] = [powderPattern(structure), powderPattern(doubled)];
    expect(two.peaks.length).toBe(one.peaks.length);
    for (const [i, peak] of one.peaks.entries())
      expect(two.peaks[i]?.intensity).toBeCloseTo(peak.intensity, 6);
  });

  it('a Debye–Waller factor weakens intensities at high angles by exp(−2 B s²)', () => {
    const element: Structure = { ...rockSalt, sites: [orderedSite('Cu', [0, 0, 0])] };
    const [still, warm] = [powderPattern(element), powderPattern(element, { debyeWallerB: { Cu: 1.5 } })];
    const ratio = (i: number): number => warm.peaks[i].intensity / still.peaks[i].intensity;
    const s2 = (i: number): number => 1 / (4 * still.peaks[i].dSpacing ** 2);
    expect(ratio(5) / ratio(1)).toBeCloseTo(Math.exp(-2 * 1.5 * (s2(5) - s2(1))), 6);
  });

  it.each([0, -1, Number.NaN, 1e9, Number.POSITIVE_INFINITY])('refuses the wavelength %s', (wavelength) => {
    expect(() => powderPattern(rockSalt, { wavelength })).toThrow(/wavelength is .*expected a number of Å/);
  });

  it('refuses unknown sources, elements without scattering factors, flat cells and excessive work', () => {
    expect(() => powderPattern(rockSalt, { source: 'XxKa' })).toThrow(/not known: choose one of CuKa/);
    expect(() => powderPattern({ ...rockSalt, sites: [orderedSite('Es', [0, 0, 0])] })).toThrow(/"Es"/);
    expect(() =>
      powderPattern({
        ...rockSalt,
        latticeVectors: [
          [1, 0, 0],
          [2, 0, 0],
          [0, 0, 1],
        ],
      }),
    ).toThrow(/volume 0/);
    const huge: Structure = {
      ...rockSalt,
      latticeVectors: [
        [300, 0, 0],
        [0, 300, 0],
        [0, 0, 300],
      ],
    };
    expect(() => powderPattern(huge, { source: 'AgKa' })).toThrow(/at most 5000000/);
    expect(() => powderPattern(rockSalt, { twoThetaRangeDeg: [20, 180] })).toThrow(/2θ range/);
  });

  it('returns an empty list for a range without reflections', () => {
    expect(powderPattern(rockSalt, { twoThetaRangeDeg: [0, 5] }).peaks).toEqual([]);
  });
});

describe('RADIATION_SOURCES', () => {
  it('has 24 lines, Cu Kα first', () => {
    expect(RADIATION_SOURCES).toHaveLength(24);
    expect(RADIATION_SOURCES[0]).toEqual({ id: 'CuKa', name: 'CuKα', wavelength: 1.54184 });
    expect(radiationSource('agKβ1').wavelength).toBe(0.497082);
  });
});

describe('packed patterns', () => {
  it('keep spacings to 5e-5 and intensities to 0.01 of 100', () => {
    const bytes = packedPatternOf(rockSalt);
    const { dSpacings, intensities } = unpackPattern(bytes);
    const { peaks } = powderPattern(rockSalt, { twoThetaRangeDeg: [0, 100] });
    for (const peak of peaks.filter((one) => one.intensity > 2)) {
      const i = dSpacings.findIndex((d) => Math.abs(d / peak.dSpacing - 1) < 5e-5);
      expect(Math.abs(intensities[i] - peak.intensity)).toBeLessThan(0.01);
    }
  });

  it('have a limited size for a large cell of low symmetry, and the strongest lines are kept', () => {
    const lines = {
      dSpacings: Array.from({ length: 2000 }, (_, i) => 20 * 0.999 ** i),
      intensities: Array.from({ length: 2000 }, (_, i) => 1 + (i % 7)),
    };
    const bytes = packPattern(lines);
    expect(bytes.length).toBe(2 + 4 * MAX_PACKED_LINES);
    expect(Math.min(...unpackPattern(bytes).intensities)).toBeCloseTo(100, 1);
  });

  it('are refused if the bytes are of another kind', () => {
    expect(() => unpackPattern(new Uint8Array([9, 1, 0, 0, 0, 0]))).toThrow(/not a stored pattern/);
    expect(() => unpackPattern(new Uint8Array())).toThrow(/not a stored pattern/);
    expect(unpackPattern(packPattern({ dSpacings: [], intensities: [] })).dSpacings).toHaveLength(0);
  });
});

it('powderPattern joins reflections up to the tolerance but no further, at their centre of gravity', () => {
  // Tetragonal, 2 % from cubic: 100 and 001 are two peaks with intensities 2 : 1.
  const structure: Structure = {
    latticeVectors: latticeVectorsFromParameters({ a: 4, b: 4, c: 4.08, alpha: 90, beta: 90, gamma: 90 }),
    sites: [orderedSite('Po', [0, 0, 0])],
  };
  const firstPeaks = (mergeToleranceDeg?: number) =>
    powderPattern(structure, {
      twoThetaRangeDeg: [15, 28],
      ...(mergeToleranceDeg === undefined ? {} : { mergeToleranceDeg }),
    }).peaks;
  const [low, high, ...others] = firstPeaks();
  expect(others).toEqual([]);
  const distance = high.twoThetaDeg - low.twoThetaDeg;
  expect(firstPeaks(0.7 * distance)).toHaveLength(2);
  expect(firstPeaks(0.999 * distance)).toHaveLength(2);
  const [joined, ...more] = firstPeaks(1.001 * distance);
  expect(more).toEqual([]);
  const inverseSquare = ({ dSpacing }: { readonly dSpacing: number }): number => dSpacing ** -2;
  const mean =
    (low.intensity * inverseSquare(low) + high.intensity * inverseSquare(high)) /
    (low.intensity + high.intensity);
  expect(inverseSquare(joined)).toBeCloseTo(mean, 9);
});

/** A crystal from a, c (Å), γ (degrees) and its sites; the origin is a centre of symmetry. */
const crystal = (
  [a, c, gamma = 90]: readonly [number, number, number?],
  sites: readonly (readonly [string, ...Vec3])[],
): Structure => ({
  latticeVectors: latticeVectorsFromParameters({ a, b: a, c, alpha: 90, beta: 90, gamma }),
  sites: sites.map(([element, ...abc]) => orderedSite(element, abc)),
});

const inRockSalt = (cation: string, anion: string, a: number): Structure =>
  crystal(
    [a, a],
    (
      [
        [0, 0, 0],
        [0, 0.5, 0.5],
        [0.5, 0, 0.5],
        [0.5, 0.5, 0],
      ] as const
    ).flatMap(([x, y, z]) => [
      [cation, x, y, z],
      [anion, x + 0.5, y, z],
    ]),
  );

describe('powderPattern for neutrons', () => {
  // pymatgen 2026.10.24, NDCalculator(wavelength=1.5402): 2θ in degrees and intensities above 10.
  it.each([
    [
      'rutile, whose titanium scatters with the opposite phase',
      crystal(
        [4.594, 2.959],
        [
          ['Ti', 0, 0, 0],
          ['Ti', 0.5, 0.5, 0.5],
          ['O', 0.305, 0.305, 0],
          ['O', 0.695, 0.695, 0],
          ['O', 0.195, 0.805, 0.5],
          ['O', 0.805, 0.195, 0.5],
        ],
      ),
      [
        [36.0667, 65.49],
        [39.1771, 79.529],
        [41.2247, 100],
        [44.0283, 40.874],
        [64.0241, 21.463],
        [68.978, 17.849],
        [72.3907, 24.13],
        [76.5069, 55.954],
        [79.7975, 33.735],
        [82.3037, 83.576],
        [87.4445, 36.623],
      ],
    ],
    [
      'lithium hydride, which X-rays hardly see',
      inRockSalt('Li', 'H', 4.084),
      [
        [38.1256, 16.922],
        [44.3121, 91.334],
        [64.4632, 100],
        [77.4231, 16.77],
        [81.5679, 49.652],
      ],
    ],
    [
      'brucite, with its hydrogen',
      crystal(
        [3.148, 4.779, 120],
        [
          ['Mg', 0, 0, 0],
          ['O', 1 / 3, 2 / 3, 0.2216],
          ['O', 2 / 3, 1 / 3, -0.2216],
          ['H', 1 / 3, 2 / 3, 0.4303],
          ['H', 2 / 3, 1 / 3, -0.4303],
        ],
      ),
      [
        [18.5464, 88.397],
        [37.6023, 12.082],
        [37.9562, 34.994],
        [50.7519, 100],
        [58.5843, 14.565],
        [62.0105, 59.765],
        [68.0986, 71.76],
        [71.7292, 25.623],
        [71.9574, 12.531],
        [81.1457, 51.641],
      ],
    ],
  ] as const)('%s: angles and intensities agree with pymatgen', (_, structure, expected) => {
    const { peaks } = powderPattern(structure, { probe: 'neutron', wavelength: 1.5402 });
    const found = peaks.filter(({ intensity }) => intensity > 10);
    expect(found.map(({ twoThetaDeg }) => Number(twoThetaDeg.toFixed(4)))).toEqual(
      expected.map(([angle]) => angle),
    );
    for (const [i, [, intensity]] of expected.entries()) expect(found[i].intensity).toBeCloseTo(intensity, 2);
  });

  it('the imaginary part of the scattering length of an absorbing nucleus adds to the intensities: GdN', () => {
    const { peaks } = powderPattern(inRockSalt('Gd', 'N', 5), { probe: 'neutron', wavelength: 1.2 });
    const [odd, even] = peaks.map(({ intensity, twoThetaDeg, hkls }) => {
      const theta = (twoThetaDeg * Math.PI) / 360;
      return (intensity * Math.sin(theta) ** 2 * Math.cos(theta)) / hkls[0].multiplicity;
    });
    // b(Gd) = 6.5 − 13.82 i, b(N) = 9.36 fm (Sears 1992)
    expect(odd / even).toBeCloseTo(((6.5 - 9.36) ** 2 + 13.82 ** 2) / ((6.5 + 9.36) ** 2 + 13.82 ** 2), 6);
  });

  it('deuterium differs from hydrogen, and an element without a known scattering length is refused', () => {
    const strongest = (anion: string): readonly number[] => {
      const { peaks } = powderPattern(inRockSalt('Li', anion, 4.07), {
        probe: 'neutron',
        wavelength: 1.5402,
      });
      return peaks.toSorted((a, b) => b.intensity - a.intensity)[0].hkls[0].hkl;
    };
    expect([strongest('H'), strongest('D')]).toEqual([
      [2, 2, 0],
      [1, 1, 1],
    ]);
    expect(() => powderPattern(inRockSalt('Pu', 'N', 5), { probe: 'neutron', wavelength: 1.5402 })).toThrow(
      /no coherent neutron scattering length is known for "Pu"/,
    );
  });
});
