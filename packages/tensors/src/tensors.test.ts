import { latticeVectorsFromParameters, orderedSite, type Structure } from '@unitcell/crystal';
import { BOLTZMANN_J_PER_K } from '@unitcell/elements';
import { dot3, type Mat3, norm3, seededRandom, type Vec3 } from '@unitcell/numerics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dielectricProperties, piezoelectricProperties } from './electric-tensors.ts';
import { elasticModuli, elasticThermal, youngModulusAlong, youngModulusSurface } from './elastic-moduli.ts';
import { ieeeOrientation, rotatePiezoelectric, rotateStiffness, symmetriseTensor } from './rotate-tensors.ts';
import { complianceOf } from './voigt.ts';

const cubic = (c11: number, c12: number, c44: number): number[][] => [
  [c11, c12, c12, 0, 0, 0],
  [c12, c11, c12, 0, 0, 0],
  [c12, c12, c11, 0, 0, 0],
  [0, 0, 0, c44, 0, 0],
  [0, 0, 0, 0, c44, 0],
  [0, 0, 0, 0, 0, c44],
];

/** GPa at room temperature: H. J. McSkimin, P. Andreatch, J. Appl. Phys. 35 (1964) 2161. */
const silicon = cubic(165.64, 63.94, 79.51);

/** GPa: R. Bechmann, Phys. Rev. 110 (1958) 1060, α-quartz in IEEE axes, C66 = (C11 − C12)/2. */
const quartz = [
  [86.74, 6.99, 11.91, -17.91, 0, 0],
  [6.99, 86.74, 11.91, 17.91, 0, 0],
  [11.91, 11.91, 107.2, 0, 0, 0],
  [-17.91, 17.91, 0, 57.94, 0, 0],
  [0, 0, 0, 0, 57.94, -17.91],
  [0, 0, 0, 0, -17.91, 39.875],
];

const siliconCell: Structure = {
  latticeVectors: latticeVectorsFromParameters({
    a: 5.431,
    b: 5.431,
    c: 5.431,
    alpha: 90,
    beta: 90,
    gamma: 90,
  }),
  sites: [
    [0, 0, 0],
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ].flatMap(([x, y, z]) => [orderedSite('Si', [x, y, z]), orderedSite('Si', [x + 0.25, y + 0.25, z + 0.25])]),
};

const about = (axis: 'x' | 'z', angle: number): Mat3 => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return axis === 'z'
    ? [
        [c, s, 0],
        [-s, c, 0],
        [0, 0, 1],
      ]
    : [
        [1, 0, 0],
        [0, c, s],
        [0, -s, c],
      ];
};

const expectEqual = (found: readonly (readonly number[])[], expected: readonly (readonly number[])[]): void =>
  found.forEach((row, i) => row.forEach((value, j) => expect(value).toBeCloseTo(expected[i][j], 9)));

describe('elasticModuli', () => {
  it('silicon: K = (C11 + 2 C12)/3 in both bounds, E along 100, 110 and 111 of 130, 169 and 188 GPa', () => {
    const found = elasticModuli(silicon);
    expect(found.bulk.voigt).toBeCloseTo((165.64 + 2 * 63.94) / 3, 9);
    expect(found.bulk.reuss).toBeCloseTo(found.bulk.voigt, 9);
    expect(found.isMechanicallyStable).toBe(true);
    // M. A. Hopcroft et al., J. Microelectromech. Syst. 19 (2010) 229.
    expect(youngModulusAlong(complianceOf(silicon), [1, 0, 0])).toBeCloseTo(130, 0);
    expect(youngModulusAlong(complianceOf(silicon), [1, 1, 0])).toBeCloseTo(169, 0);
    expect(youngModulusAlong(complianceOf(silicon), [1, 1, 1])).toBeCloseTo(188, 0);
  });

  it('an isotropic crystal has no anisotropy, equal bounds and E = 2G(1 + ν)', () => {
    const found = elasticModuli(cubic(200, 80, 60));
    expect(found.universalAnisotropy).toBeCloseTo(0, 9);
    expect(found.shear.voigt).toBeCloseTo(60, 9);
    expect(found.youngModulus).toBeCloseTo(2 * 60 * (1 + found.poissonRatio), 9);
  });

  it('Voigt is never below Reuss, and the moduli do not depend on the axes', () => {
    const angle = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(angle, angle, (first, second) => {
        const turned = rotateStiffness(rotateStiffness(quartz, about('z', first)), about('x', second));
        const [found, straight] = [elasticModuli(turned), elasticModuli(quartz)];
        expect(found.bulk.voigt).toBeGreaterThanOrEqual(found.bulk.reuss);
        expect(found.shear.voigt).toBeGreaterThanOrEqual(found.shear.reuss);
        expect(found.bulk.hill).toBeCloseTo(straight.bulk.hill, 8);
        expect(found.shear.hill).toBeCloseTo(straight.shear.hill, 8);
        expect(found.universalAnisotropy).toBeCloseTo(straight.universalAnisotropy, 8);
      }),
      { seed: 5, numRuns: 40 },
    );
  });

  it('reports a crystal with a negative shear eigenvalue as unstable', () => {
    expect(elasticModuli(cubic(100, 120, 50)).isMechanicallyStable).toBe(false);
  });

  it.each([
    [silicon.slice(1), /5 rows of 6/],
    [silicon.map((row, i) => (i === 2 ? row.with(1, Number.NaN) : row)), /not a finite/],
    [silicon.map((row, i) => (i === 0 ? row.with(1, 100) : row)), /mirror place/],
    [cubic(100, 100, 50), /singular/],
  ])('refuses a malformed tensor (%#)', (tensor, message) => {
    expect(() => elasticModuli(tensor)).toThrow(message);
  });
});

describe('elasticThermal', () => {
  it('silicon: density 2329 kg/m³ and a Debye temperature of about 645 K', () => {
    const found = elasticThermal(elasticModuli(silicon), siliconCell)!;
    expect(found.density).toBeCloseTo(2329, -0.5);
    // 640–648 K from elastic constants: O. L. Anderson, J. Phys. Chem. Solids 24 (1963) 909.
    expect(Math.abs(found.debyeTemperature - 645)).toBeLessThan(5);
    expect(found.longitudinalVelocity).toBeGreaterThan(found.transverseVelocity);
  });

  it('silicon: the lowest conductivity is that of the formula of Cahill for the measured velocities', () => {
    const { cahillConductivity, longitudinalVelocity, transverseVelocity } = elasticThermal(
      elasticModuli(silicon),
      siliconCell,
    )!;
    // ½(π/6)^(1/3) k_B n^(2/3) (v_l + 2 v_t) with 8970 and 5340 m/s of isotropic silicon and 5.0·10²⁸ atoms/m³.
    expect(cahillConductivity).toBeCloseTo(1.48, 1);
    const siteDensity = 8 / 5.431e-10 ** 3;
    const velocities = longitudinalVelocity + 2 * transverseVelocity;
    expect(cahillConductivity).toBeCloseTo(
      0.5 * (Math.PI / 6) ** (1 / 3) * BOLTZMANN_J_PER_K * siteDensity ** (2 / 3) * velocities,
      9,
    );
  });

  it('is null for a crystal without rigidity', () => {
    expect(elasticThermal(elasticModuli(cubic(100, 120, -5)), siliconCell)).toBeNull();
  });
});

describe('rotateStiffness', () => {
  it('a threefold rotation leaves quartz unchanged, and a half turn about the axis changes the sign of C14', () => {
    expectEqual(rotateStiffness(quartz, about('z', (2 * Math.PI) / 3)), quartz);
    expect(rotateStiffness(quartz, about('z', Math.PI))[0][3]).toBeCloseTo(17.91, 9);
  });

  it('averaging over the point group keeps a symmetric tensor, and makes any other tensor symmetric', () => {
    const group = [0, 1, 2].flatMap((turn) => [
      about('z', (turn * 2 * Math.PI) / 3),
      multiplyTurn(about('z', (turn * 2 * Math.PI) / 3), about('x', Math.PI)),
    ]);
    expectEqual(symmetriseTensor(quartz, group), quartz);
    const spoilt = quartz.map((row, i) => row.map((value, j) => value + ((i * 7 + j * 7) % 5) * 0.1));
    const repaired = symmetriseTensor(spoilt, group);
    expect(repaired[0][0]).toBeCloseTo(repaired[1][1], 9);
    expect(repaired[0][4]).toBeCloseTo(0, 9);
  });
});

const multiplyTurn = (left: Mat3, right: Mat3): Mat3 => {
  const rows = left.map((row): Vec3 => {
    const entry = (j: 0 | 1 | 2): number =>
      row[0] * right[0][j] + row[1] * right[1][j] + row[2] * right[2][j];
    return [entry(0), entry(1), entry(2)];
  });
  return [rows[0], rows[1], rows[2]];
};

describe('youngModulusSurface', () => {
  const surface = youngModulusSurface(complianceOf(silicon));

  it('is a closed mesh of unit vectors: V − E + F = 2, and every edge is in two triangles', () => {
    const edges = new Map<string, number>();
    for (const [i, j, k] of surface.triangles)
      for (const [p, q] of [
        [i, j],
        [j, k],
        [k, i],
      ]) {
        const key = `${Math.min(p, q)}-${Math.max(p, q)}`;
        edges.set(key, (edges.get(key) ?? 0) + 1);
      }
    expect(surface.directions.length - edges.size + surface.triangles.length).toBe(2);
    expect([...edges.values()].every((count) => count === 2)).toBe(true);
    for (const direction of surface.directions) expect(norm3(direction)).toBeCloseTo(1, 12);
  });

  it('is smallest along 100 and largest along 111 for silicon', () => {
    expect(surface.minimum.value).toBeCloseTo(youngModulusAlong(complianceOf(silicon), [1, 0, 0]), 6);
    expect(surface.maximum.value).toBeCloseTo(youngModulusAlong(complianceOf(silicon), [1, 1, 1]), 6);
  });

  it('has extremes that do not depend on the axes, even if two directions are nearly equally stiff', () => {
    const random = seededRandom(3);
    const nearlyEqual = [
      [76, -38, 45, -6, 19, -6],
      [-38, 141, 21, -10, -28, 5],
      [45, 21, 121, -4, 39, -40],
      [-6, -10, -4, 133, 10, -83],
      [19, -28, 39, 10, 91, 26],
      [-6, 5, -40, -83, 26, 140],
    ];
    /** A positive definite tensor, M Mᵀ plus a part of the identity. */
    const anyStiffness = (): number[][] => {
      const rows = nearlyEqual.map((row) => row.map(() => 20 * random() - 10));
      return rows.map((left, i) =>
        rows.map((right, j) => left.reduce((sum, value, k) => sum + value * right[k], i === j ? 5 : 0)),
      );
    };
    for (const stiffness of [nearlyEqual, ...Array.from({ length: 20 }, anyStiffness)]) {
      const straight = youngModulusSurface(complianceOf(stiffness));
      for (const angle of [0.7, 1.4]) {
        const turned = rotateStiffness(
          rotateStiffness(stiffness, about('z', 0.6 * angle)),
          about('x', angle),
        );
        const found = youngModulusSurface(complianceOf(turned));
        expect(found.minimum.value / straight.minimum.value).toBeCloseTo(1, 8);
        expect(found.maximum.value / straight.maximum.value).toBeCloseTo(1, 8);
      }
    }
  });

  it('is a sphere for an isotropic crystal', () => {
    const { minimum, maximum } = youngModulusSurface(complianceOf(cubic(200, 80, 60)));
    expect(maximum.value).toBeCloseTo(minimum.value, 9);
  });

  it('refuses a direction of length zero', () => {
    expect(() => youngModulusAlong(complianceOf(silicon), [0, 0, 0])).toThrow(/no length/);
  });
});

describe('ieeeOrientation', () => {
  it('orders orthorhombic axes c < a < b and is right-handed', () => {
    const rotation = ieeeOrientation('orthorhombic', [
      [5, 0, 0],
      [0, 4, 0],
      [0, 0, 6],
    ]);
    expect(rotation).toEqual([
      [1, 0, 0],
      [0, 0, 1],
      [0, -1, 0],
    ]);
  });

  it('puts x₂ on the unique axis of a monoclinic cell and x₃ on the shorter of the others', () => {
    const [, second, third] = ieeeOrientation('monoclinic', [
      [5, 0, -1],
      [0, 7, 0],
      [0, 0, 9],
    ]);
    expect(second).toEqual([0, 1, 0]);
    expect(third[0]).toBeCloseTo(5 / Math.hypot(5, 1), 12);
  });
});

describe('dielectricProperties', () => {
  const isotropic = (value: number): number[][] => [
    [value, 0, 0],
    [0, value, 0],
    [0, 0, value],
  ];

  it('an isotropic insulator has n = √ε∞, and electronic and ionic parts add up to the total', () => {
    const found = dielectricProperties({ electronic: isotropic(4), ionic: isotropic(5) });
    expect(found.refractiveIndex).toBe(2);
    expect([found.meanElectronic, found.meanTotal]).toEqual([4, 9]);
  });

  it('refuses a negative electronic permittivity', () => {
    expect(() => dielectricProperties({ electronic: isotropic(-2), ionic: isotropic(5) })).toThrow(
      /expected positive/,
    );
  });
});

describe('piezoelectricProperties', () => {
  it('wurtzite has the largest response along the axis, e = |(e31, e31, e33)|', () => {
    const found = piezoelectricProperties([
      [0, 0, 0, 0, -0.4, 0],
      [0, 0, 0, -0.4, 0, 0],
      [-0.5, -0.5, 1.2, 0, 0, 0],
    ]);
    expect(found.maxResponse).toBeCloseTo(Math.hypot(0.5, 0.5, 1.2), 12);
    expect(Math.abs(found.maxDirection![2])).toBeCloseTo(1, 12);
  });

  it('a centrosymmetric crystal has a zero response and no direction', () => {
    const found = piezoelectricProperties([0, 1, 2].map(() => [0, 0, 0, 0, 0, 0]));
    expect([found.maxResponse, found.maxDirection]).toEqual([0, null]);
  });

  it('zinc blende has the response √2 e14 along every axis, so in no single direction', () => {
    const zincBlende = [
      [0, 0, 0, 0.16, 0, 0],
      [0, 0, 0, 0, 0.16, 0],
      [0, 0, 0, 0, 0, 0.16],
    ];
    // By 45° about z, the shear strain in xy becomes a stretch along x and an equal shortening along y.
    for (const tensor of [zincBlende, rotatePiezoelectric(zincBlende, about('z', Math.PI / 4))]) {
      const found = piezoelectricProperties(tensor);
      expect([found.maxResponse, found.maxDirection]).toEqual([expect.closeTo(0.16 * Math.SQRT2, 12), null]);
    }
  });

  it('the responses do not depend on the axes, and the direction rotates with the tensor', () => {
    const random = seededRandom(5);
    for (let run = 0; run < 20; run++) {
      const tensor = [0, 1, 2].map(() => Array.from({ length: 6 }, () => random() - 0.5));
      const rotation = multiplyTurn(about('x', 6 * random()), about('z', 6 * random()));
      const straight = piezoelectricProperties(tensor);
      const turned = piezoelectricProperties(rotatePiezoelectric(tensor, rotation));
      straight.singularValues.forEach((value, k) => expect(turned.singularValues[k]).toBeCloseTo(value, 9));
      const expected = rotation.map((row) => dot3(row, straight.maxDirection!));
      const cosine = turned.maxDirection!.reduce((sum, value, k) => sum + value * expected[k], 0);
      expect(Math.abs(cosine)).toBeCloseTo(1, 9);
    }
  });
});
