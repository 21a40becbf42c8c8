import { orderedSite, type Structure } from '@unitcell/crystal';
import { type Mat3, transpose3, type Vec3 } from '@unitcell/numerics';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { expect, it } from 'vitest';
import { elasticTensor } from './elastic-tensor.ts';
import { birchMurnaghan, equationOfState } from './equation-of-state.ts';
import { deformed, magnesia, silicon } from './testing/crystals.ts';
import { engine } from './testing/engines-in-node.ts';
import { readJson } from './testing/reference-cases-in-node.ts';

type Tensor = readonly (readonly number[])[];

/** Results of the original code (sevenn 0.13.0 in double precision); the tolerance is 3 % or 2 GPa. */
interface ElasticCase {
  readonly species: readonly string[];
  readonly lattice: Mat3;
  readonly frac: readonly Vec3[];
  readonly C_GPa: Tensor;
}

/** The largest difference between two tensors, as a share of the tolerance. */
const difference = (found: Tensor, expected: Tensor): number =>
  Math.max(
    ...found.flatMap((row, i) =>
      row.map((value, j) => Math.abs(value - expected[i][j]) / Math.max(2, 0.03 * Math.abs(expected[i][j]))),
    ),
  );

it('the elastic tensor of silicon equals that of the original code', () => {
  const [c11, c12, c44] = [154.496, 69.753, 57.89];
  const expected = [
    [c11, c12, c12, 0, 0, 0],
    [c12, c11, c12, 0, 0, 0],
    [c12, c12, c11, 0, 0, 0],
    [0, 0, 0, c44, 0, 0],
    [0, 0, 0, 0, c44, 0],
    [0, 0, 0, 0, 0, c44],
  ];
  expect(difference(elasticTensor(engine, silicon()), expected)).toBeLessThan(1);
});

it.runIf(hasSharedData)('the elastic tensors of four crystals equal those of the original code', () => {
  const cases = readJson(sharedPath('reference', 'potential', 'elastic.json')) as readonly ElasticCase[];
  for (const { species, lattice, frac, C_GPa } of cases) {
    const sites = species.map((element, k) => orderedSite(element, frac[k]));
    expect(difference(elasticTensor(engine, { latticeVectors: lattice, sites }), C_GPa)).toBeLessThan(1);
  }
});

it('rotating a crystal rotates its tensor', () => {
  const rotation: Mat3 = [
    [0, 1, 0],
    [-Math.SQRT1_2, 0, Math.SQRT1_2],
    [Math.SQRT1_2, 0, Math.SQRT1_2],
  ];
  const tensor = elasticTensor(engine, deformed(magnesia(), transpose3(rotation)));
  const straight = elasticTensor(engine, magnesia());
  // The bulk modulus and the trace over shears do not depend on the axes; C11 along [110] does.
  const sum = (c: Tensor): number => [0, 1, 2].reduce((total, i) => total + c[i][0] + c[i][1] + c[i][2], 0);
  expect(sum(tensor) / sum(straight)).toBeCloseTo(1, 3);
  const [[c11, c12], , , [, , , c44]] = straight;
  expect(tensor[1][1]).toBeCloseTo((c11 + c12) / 2 + c44, 0);
});

it('the equation of state of magnesia equals that of the original code', () => {
  const cubic = magnesia(4.25);
  const { volume, energy, bulkModulus, bulkModulusDerivative, points } = equationOfState(engine, cubic);
  expect(points).toHaveLength(11);
  expect(energy / 2).toBeCloseTo(-5.9778754, 4);
  expect(volume / 2).toBeCloseTo(9.61937, 2);
  expect(bulkModulus / 141.548).toBeCloseTo(1, 2);
  expect(bulkModulusDerivative).toBeCloseTo(4.323, 1);
});

it('fitting points of a Birch–Murnaghan curve gives back the constants of the curve', () => {
  const [volume, energy, modulus, derivative] = [40, -10, 0.6, 4.7];
  const points = [36, 37.5, 39, 40.5, 42, 43.5].map((v) => {
    const t = (volume / v) ** (2 / 3) - 1;
    const e = energy + (9 / 8) * volume * modulus * (t * t + ((derivative - 4) * t ** 3) / 2);
    return { volume: v, energy: e };
  });
  const found = birchMurnaghan(points);
  expect(found.volume).toBeCloseTo(volume, 8);
  expect(found.energy).toBeCloseTo(energy, 10);
  expect(found.bulkModulus).toBeCloseTo(modulus * 160.2176634, 6);
  expect(found.bulkModulusDerivative).toBeCloseTo(derivative, 6);
});

it.each<[string, Structure, readonly number[]]>([
  ['volumes on one side of the minimum', silicon(), [1.05, 1.08, 1.11, 1.14, 1.17]],
  ['fewer than four volumes', silicon(), [0.98, 1, 1.02]],
])('%s have no equation of state', (_, structure, ratios) => {
  expect(() => equationOfState(engine, structure, ratios)).toThrow(
    expect.objectContaining({ code: 'no-minimum' }),
  );
});
