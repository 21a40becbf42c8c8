import { latticeParameters, latticeVectorsFromParameters, orderedSite } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { brindleyFactor, linearAbsorption } from '../microabsorption.ts';
import { CORUNDUM, FLUORITE, simulatedScan, ZINCITE } from '../testing/simulated-scan.ts';
import { berarFactor } from './agreement.ts';
import { cellMetric, latticeOf, refinedCell } from './cell-metric.ts';
import { normalEquations } from './least-squares.ts';
import { lineAngles, measuredSums } from './line-intensities.ts';
import { measuredPoints } from './measured-points.ts';
import { MAX_REFINED_POINTS } from './types.ts';
import { phaseLines } from './phase-reflections.ts';
import { prepare } from './prepare.ts';
import { microabsorption, weightFractions } from './weight-fractions.ts';

it('the variance of the average of two points is a quarter of the sum of their variances', () => {
  const twoThetaDeg = Array.from({ length: MAX_REFINED_POINTS + 2 }, (_, i) => i / 1000);
  const { weights } = measuredPoints({
    pattern: {
      twoThetaDeg,
      intensities: twoThetaDeg,
      sigmas: twoThetaDeg.map((_, i) => (i % 2 === 0 ? 1 : 3)),
    },
    radiation: [],
    phases: [],
    options: { method: 'rietveld', refine: 'automatic' },
  });
  expect(weights[0]).toBeCloseTo(4 / (1 ** 2 + 3 ** 2), 12);
});

describe('the weights of intensities without standard deviations are those of their noise', () => {
  // 2,000 counts at the strongest line above a background of 60.
  const scan = simulatedScan({
    phases: [{ label: 'corundum', structure: CORUNDUM }],
    fractions: [1],
    range: [20, 70],
    counts: 2000,
    seed: 4,
  });
  const counts = Array.from(scan.pattern.intensities);
  it.each([
    ['counts', 1, 0],
    ['counts per second', 1 / 37.3, 0],
    ['whole numbers that are ten times the counts', 10, 0],
    ['counts without their background', 1, 60.25],
    ['counts per second without their background', 1 / 37.3, 60],
  ])('%s', (_, factor, background) => {
    const intensities = counts.map((value) => factor * (value - background));
    const { weights } = measuredPoints({ ...scan, pattern: { ...scan.pattern, intensities } });
    const meanRatio = (isMeant: (value: number) => boolean): number => {
      const ratios = counts.flatMap((n, i) => (isMeant(n) ? [weights[i] * factor ** 2 * n] : []));
      return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    };
    for (const ratio of [meanRatio((n) => n < 80), meanRatio((n) => n > 300)]) {
      expect(ratio).toBeGreaterThan(0.75);
      expect(ratio).toBeLessThan(1.3);
    }
  });
});

describe('a background that was subtracted', () => {
  const random = seededRandom(8);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  /** Counts of a steep background and one peak. */
  const measured = (mean: number) =>
    Array.from({ length: 4000 }, (_, i) => {
      const level = mean * (0.5 + i / 4000) + 40 * mean * Math.exp(-(((i - 1500) / 30) ** 2));
      return Math.max(0, Math.round(level + Math.sqrt(level) * normal()));
    });
  const codesOf = (intensities: readonly number[]) => {
    const twoThetaDeg = intensities.map((_, i) => 10 + 0.02 * i);
    const options = { method: 'rietveld', refine: 'automatic' } as const;
    const { notices } = measuredPoints({
      pattern: { twoThetaDeg, intensities },
      radiation: [],
      phases: [],
      options,
    });
    return notices.map(({ code }) => code);
  };
  const without = (counts: readonly number[], mean: number, factor = 1) =>
    counts.map((n, i) => Math.max(0, factor * Math.round(n - mean * (0.5 + i / 4000))));

  it.each([
    ['counts', without(measured(100), 100)],
    ['few counts', without(measured(20), 20)],
    ['counts, with too high a background', without(measured(100), 112)],
    ['counts per second', without(measured(100), 100, 0.37)],
  ])('is recognised where negative values became zero: %s', (_, intensities) => {
    expect(codesOf(intensities)).toContain('cut-at-zero');
  });

  it.each([0.05, 0.5, 1, 2, 2.5, 3, 5, 100])('is not suspected in counts with a mean of %s', (mean) => {
    const poisson = () => {
      let [n, product] = [0, random()];
      for (; product > Math.exp(-mean); n++) product *= random();
      return n;
    };
    expect(codesOf(Array.from({ length: 3000 }, (_, i) => (i === 700 ? 200 : poisson())))).not.toContain(
      'cut-at-zero',
    );
  });
});

describe('the parameters of a cell', () => {
  it.each([
    ['cubic', [4, 4, 4, 90, 90, 90], 1],
    ['primitive cell of a face-centred cubic', [3, 3, 3, 60, 60, 60], 1],
    ['rhombohedral', [5.13, 5.13, 5.13, 55.3, 55.3, 55.3], 2],
    ['hexagonal', [4.7, 4.7, 13, 90, 90, 120], 2],
    ['tetragonal', [4, 4, 6, 90, 90, 90], 2],
    ['orthorhombic', [4, 5, 6, 90, 90, 90], 3],
    ['monoclinic', [4, 5, 6, 90, 101, 90], 4],
    ['triclinic', [4, 5, 6, 81, 101, 95], 6],
  ] as const)('of a %s lattice %o are %i', (_, [a, b, c, alpha, beta, gamma], count) => {
    const metric = cellMetric(latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }));
    expect(metric.names).toHaveLength(count);
    const back = latticeParameters(latticeOf(metric, metric.start));
    expect(Object.values(back)).toEqual(
      [a, b, c, alpha, beta, gamma].map((value) => expect.closeTo(value, 9)),
    );
  });

  it('give edges, angles and volume their e.s.d. by error propagation', () => {
    const metric = cellMetric(
      latticeVectorsFromParameters({ a: 4, b: 5, c: 6, alpha: 81, beta: 101, gamma: 95 }),
    );
    const variances = metric.start.map((value, i) => (1e-5 * (i + 1) * Math.abs(value)) ** 2);
    const covariance = variances.map((variance, i) => variances.map((__, j) => (i === j ? variance : 0)));
    const cell = refinedCell(metric, metric.start, covariance);
    for (const key of ['a', 'b', 'c', 'alpha', 'beta', 'gamma', 'volume'] as const) {
      let variance = 0;
      metric.start.forEach((_, i) => {
        const step = 1e-4 * Math.sqrt(variances[i]) * 1e3;
        const at = (sign: number) =>
          refinedCell(
            metric,
            metric.start.map((value, j) => value + (i === j ? sign * step : 0)),
            undefined,
          )[key].value;
        variance += ((at(1) - at(-1)) / (2 * step)) ** 2 * variances[i];
      });
      expect(cell[key].esd! / Math.sqrt(variance)).toBeCloseTo(1, 5);
    }
  });
});

// 45.893 electrons at s = 0.5 1/Å, not relativistic: Hubbell et al., J. Phys. Chem. Ref. Data 4, 471 (1975). Smith and Burge's fit
// of 1962 gives 44.7.
it('(400) of platinum in a cell of 4 Å has the strength of the six squared scattering factors of four atoms', () => {
  const cube = { a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 };
  const sites = (
    [
      [0, 0, 0],
      [0, 0.5, 0.5],
      [0.5, 0, 0.5],
      [0.5, 0.5, 0],
    ] as const
  ).map((at) => orderedSite('Pt', at));
  const structure = { latticeVectors: latticeVectorsFromParameters(cube), sites };
  const metric = cellMetric(structure.latticeVectors);
  const { hkl, strength } = phaseLines(structure, metric, metric.start, {
    wavelength: 1.54184,
    twoThetaRangeDeg: [95, 105],
    bOf: () => 0,
  });
  expect(Array.from(hkl)).toEqual([4, 0, 0]);
  expect(Math.sqrt(strength[0] / 6) / 4 / 45.893).toBeCloseTo(1.005, 2);
});

describe('weight fractions', () => {
  it('of two phases add up to 1 and have equal e.s.d.', () => {
    const { fractions } = weightFractions(
      [2, 3],
      [
        [0.01, 0.002],
        [0.002, 0.04],
      ],
      [5, 7],
    );
    expect(fractions[0].value).toBeCloseTo(10 / 31, 12);
    expect(fractions[0].value + fractions[1].value).toBeCloseTo(1, 12);
    expect(fractions[0].esd).toBeCloseTo(fractions[1].esd!, 12);
  });

  it('are absolute if one phase is an internal standard', () => {
    const zero = [
      [0, 0],
      [0, 0],
    ];
    const { absolute, amorphous } = weightFractions([1, 1], zero, [1, 2], { phase: 0, fraction: 0.1 });
    expect(absolute!.map(({ value }) => value)).toEqual([0.1, 0.2]);
    expect(amorphous!.value).toBeCloseTo(0.7, 12);
  });
});

describe("Brindley's factor and the absorption of a mixture", () => {
  it('the factor is 1 without contrast, falls as 1 − 3 μR/2, and exceeds 1 for the weaker absorber', () => {
    expect(brindleyFactor(0, 10)).toBe(1);
    // The mean path in and out of a sphere is 3/2 of its radius.
    expect((1 - brindleyFactor(1, 10)) / (1e-4 * 10)).toBeCloseTo(0.75, 2);
    expect(brindleyFactor(-100, 10)).toBeGreaterThan(1);
  });

  // Gauss–Legendre integration over 60 × 60 × 60 points of the sphere, with NumPy.
  it.each([
    [-0.5, 2.19335],
    [-0.1, 1.16357],
    [0.1, 0.86203],
    [0.5, 0.49165],
  ])('with (μ − μ̄) R = %f the factor is %f', (contrast, factor) => {
    expect(brindleyFactor(1e4 * contrast, 2) / factor).toBeCloseTo(1, 3);
  });

  // ρ μ/ρ of corundum for Cu Kα: International Tables for Crystallography C give 126 /cm (μ/ρ of Al 50.2, O 11.5).
  it('the absorption of corundum agrees with the International Tables within a few per cent', () => {
    expect(linearAbsorption(CORUNDUM, 1.54184)! / 126).toBeCloseTo(1, 1);
    expect(linearAbsorption(CORUNDUM, 1.2)).toBeUndefined();
  });

  it('the mean absorption is weighted by the volumes that follow from the corrected fractions', () => {
    const phases = [
      { absorption: 100, diameterUm: 20, density: 3, mass: 0.4, isFound: true },
      { absorption: 900, diameterUm: 10, density: 6, mass: 0.6, isFound: true },
    ];
    const { factors = [] } = microabsorption(phases);
    const volumes = phases.map(({ mass, density }, p) => mass / density / factors[p]);
    const mean = (100 * volumes[0] + 900 * volumes[1]) / (volumes[0] + volumes[1]);
    expect(factors[0]).toBeCloseTo(brindleyFactor(100 - mean, 20), 8);
    expect(factors[1]).toBeCloseTo(brindleyFactor(900 - mean, 10), 8);
  });

  it('fractions are corrected only if the grain sizes of all phases are known', () => {
    const phase = (structure: typeof ZINCITE, density: number, diameterUm?: number) => ({
      absorption: linearAbsorption(structure, 1.54184),
      diameterUm,
      density,
      mass: 1,
      isFound: true,
    });
    const unknown = microabsorption([
      phase(FLUORITE, 3.18),
      phase({ ...ZINCITE }, 5.68),
      phase(CORUNDUM, 3.98),
    ]);
    expect(unknown.factors).toBeUndefined();
    // The intensities of a mixture with 60 % of NiO and 40 % of Bi2O3 give 70.5 % of NiO.
    const mixture = (diameterUm?: number) => [
      { absorption: 269, density: 6.81, mass: 0.705, diameterUm, isFound: true },
      { absorption: 1923, density: 9.37, mass: 0.295, diameterUm, isFound: true },
    ];
    const { worst } = microabsorption(mixture());
    const { factors: usual = [] } = microabsorption(mixture(10));
    const corrected = [0.705 / usual[0], 0.295 / usual[1]];
    expect(worst?.phase).toBe(1);
    expect(worst?.fraction).toBeCloseTo(corrected[1] / (corrected[0] + corrected[1]), 12);
    expect(worst?.fraction).toBeGreaterThan(0.5);
    // Lead would differ more, but does not count, because the pattern does not show it.
    const absent = { absorption: 2600, density: 11.3, mass: 1e-4, diameterUm: undefined, isFound: false };
    expect(microabsorption([...mixture(), absent]).worst?.phase).toBe(1);
    const { factors } = microabsorption([phase(FLUORITE, 3.18, 4), phase(CORUNDUM, 3.98, 4)]);
    expect(factors![0]).toBeLessThan(1);
    expect(factors![1]).toBeGreaterThan(1);
  });
});

describe('the factor of serial correlation', () => {
  it('is 1 for independent residuals and grows if neighbouring residuals are equal', () => {
    const random = seededRandom(5);
    const residuals = Float64Array.from(
      { length: 20_000 },
      () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
    );
    const weights = new Float64Array(residuals.length).fill(1);
    const zero = new Float64Array(residuals.length);
    const points = { x: zero, weights, used: residuals.length, notices: [] };
    expect(berarFactor({ ...points, y: residuals }, zero)).toBeCloseTo(1, 1);
    const smooth = residuals.map((_, i) => residuals[Math.floor(i / 10)]);
    expect(berarFactor({ ...points, y: smooth }, zero)).toBeGreaterThan(2.5);
  });
});

it('the normal equations of more points than a block are the sums that define them', () => {
  const random = seededRandom(7);
  const vector = () => Float64Array.from({ length: 301 }, random);
  const [observed, calculated, weights] = [vector(), vector(), vector()];
  const columns = Array.from({ length: 6 }, vector);
  const rest = observed.map((value, i) => value - calculated[i]);
  const product = (a: Float64Array, b: Float64Array) =>
    expect.closeTo(
      weights.reduce((sum, weight, i) => sum + weight * a[i] * b[i], 0),
      10,
    );
  const { sum, gradient, matrix } = normalEquations(observed, calculated, weights, columns);
  expect(sum).toEqual(product(rest, rest));
  expect([...gradient]).toEqual(columns.map((column) => product(column, rest)));
  expect([...matrix]).toEqual(columns.flatMap((one) => columns.map((other) => product(one, other))));
});

it('the sums of measured lines leave out those between two ranges of a scan and those in an excluded region', () => {
  const { pattern, ...scan } = simulatedScan({
    phases: [{ label: 'corundum', structure: CORUNDUM }],
    fractions: [1],
    range: [20, 80],
  });
  const kept = Array.from(pattern.twoThetaDeg, (angle, i) => [angle, pattern.intensities[i]]).filter(
    ([angle]) => angle < 40 || angle > 50,
  );
  const { state } = prepare(
    {
      ...scan,
      pattern: { twoThetaDeg: kept.map(([angle]) => angle), intensities: kept.map(([, y]) => y) },
      excluded: [[60, 65]],
    },
    {},
  );
  const angles = Float64Array.from(lineAngles(state, 0).twoThetaDeg);
  const { calculated } = measuredSums(state, 0, { calculated: angles, observed: angles });
  const isThere = (angle: number) => angle >= 20 && angle <= 80;
  const isLeftOut = (angle: number) => (angle > 40 && angle < 50) || (angle > 60 && angle < 65);
  expect(calculated).toEqual(angles.filter((angle) => isThere(angle) && !isLeftOut(angle)));
  expect(angles.filter((angle) => isThere(angle) && isLeftOut(angle)).length).toBeGreaterThan(1);
});
