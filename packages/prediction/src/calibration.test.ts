/**
 * Tests how raw network outputs become values, intervals, latent positions and probabilities. The calibrations are so
 * simple that every result is known in closed form.
 */
import { parseFormula } from '@unitcell/crystal';
import { elementBySymbol, ELEMENTS } from '@unitcell/elements';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { crystalGraph } from './crystal-graph.ts';
import { type Calibration, COMPOUND_CLASSES, compoundClass } from './model-file.ts';
import { openModelInNode } from './open-model-in-node.ts';
import { predict, predictComposition, probabilityWithin } from './predict.ts';
import type { Model, Predictor } from './read-model.ts';
import { agreement, structureOf } from './testing/fixtures-in-node.ts';
import { domainOf, gapInterval } from './values.ts';

const model = openModelInNode();
const crystals = agreement.map(({ row }) => structureOf(row));
type IntervalCalibration = Calibration['interval'];

const withInterval = (interval: Partial<IntervalCalibration>): Model => ({
  ...model,
  manifest: { ...model.manifest, interval: { ...model.manifest.interval, ...interval } },
});
/** A width so large that no feature of a real crystal is clipped. */
const WIDTH = 4;
/** A width network whose output, the logarithm of the expected error, is silu(feature / WIDTH). */
function readingFeature(
  feature: number,
  count: number,
): Pick<IntervalCalibration, 'centre' | 'width' | 'hidden' | 'output'> {
  const weight = Array.from({ length: count }, (_, i) => Number(i === feature));
  return {
    centre: weight.map(() => 0),
    width: weight.map(() => WIDTH),
    hidden: { weight, bias: [0] },
    output: { weight: [1], bias: [0] },
  };
}
const silu = (x: number): number => x / (1 + Math.exp(-x));
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

describe('the expected error', () => {
  /** The inputs of the width network, defined and ordered as in calibrate.py. */
  function featuresOf(index: number): number[] {
    const structure = crystals[index];
    const graph = crystalGraph(structure);
    const outputs = model.evaluate(graph);
    const energies = outputs.map(({ energy }) => energy);
    const symbols = structure.sites.map(({ species }) => species[0].element);
    const numbers = symbols.map((symbol) => elementBySymbol(symbol).number);
    const { elementReferences, elementCounts } = model.manifest;
    const domain = domainOf(model, outputs[0].latent, true);
    return [
      Math.log(Math.sqrt(mean(energies.map((energy) => energy ** 2)) - mean(energies) ** 2) + 1e-3),
      Math.log(domain.distance + 1e-3),
      Math.log(domain.nearbyError + 5e-3),
      Math.log(Math.min(...numbers.map((number) => elementCounts[number])) + 1),
      new Set(symbols).size,
      mean(energies) + mean(numbers.map((number) => elementReferences[number])),
      mean(outputs.map(({ heads }) => heads[0])),
      mean(outputs.map(({ heads }) => Math.log(1 + Math.exp(2 * heads[2])) / 2)),
      ...domain.place,
      ...COMPOUND_CLASSES.map((name) => (compoundClass(symbols) === name ? 1 : 0)),
      Math.log(symbols.length),
    ];
  }

  it('is computed from the features of the calibration in the order of calibrate.py', () => {
    for (const index of [0, 3]) {
      const features = featuresOf(index);
      expect(features).toHaveLength(model.manifest.interval.centre.length);
      features.forEach((feature, place) => {
        const { expectedError } = predict(
          withInterval(readingFeature(place, features.length)),
          crystals[index],
        );
        expect([place, Math.log(expectedError)]).toEqual([place, expect.closeTo(silu(feature / WIDTH), 6)]);
      });
    }
  });

  it('clips a feature at six standard deviations from the calibration rows', () => {
    const count = model.manifest.interval.centre.length;
    for (const [centre, expected] of [
      [1e6, silu(-6)],
      [-1e6, silu(6)],
    ]) {
      const far = { ...readingFeature(0, count), centre: Array.from({ length: count }, () => centre) };
      expect(Math.log(predict(withInterval(far), crystals[0]).expectedError)).toBeCloseTo(expected, 9);
    }
  });

  it('applies the scales, weights and biases of the width network', () => {
    const [feature, count] = [
      model.manifest.interval.centre.length - 1,
      model.manifest.interval.centre.length,
    ];
    const atoms = Math.log(crystals[0].sites.length);
    const plain = readingFeature(feature, count);
    const two = {
      centre: plain.centre.map(() => 0.25),
      width: plain.width.map(() => 2),
      hidden: {
        weight: [...plain.hidden.weight, ...plain.hidden.weight.map((w) => -3 * w)],
        bias: [0.5, -0.75],
      },
      output: { weight: [0.4, -1.5], bias: [-0.2] },
    };
    const x = (atoms - 0.25) / 2;
    const { expectedError } = predict(withInterval(two), crystals[0]);
    expect(Math.log(expectedError)).toBeCloseTo(-0.2 + 0.4 * silu(x + 0.5) - 1.5 * silu(-3 * x - 0.75), 9);
  });

  it('is multiplied by the factor of class and third to give the half width', () => {
    const { expectedError, compoundClass: group } = predict(model, crystals[3]);
    const factors = { ...model.manifest.interval.factors, [group]: [2, 3, 5] } as const;
    const halfWith = (thirds: readonly [number, number]): number => {
      const { value, low, high } = predict(
        withInterval({ factors, thirds }),
        crystals[3],
      ).formationEnergyPerAtom;
      expect(high - value).toBeCloseTo(value - low, 12);
      return (high - value) / expectedError;
    };
    expect(halfWith([expectedError + 1e-9, 9])).toBeCloseTo(2, 9);
    expect(halfWith([0, expectedError + 1e-9])).toBeCloseTo(3, 9);
    expect(halfWith([0, expectedError - 1e-9])).toBeCloseTo(5, 9);
  });
});

describe('the output heads', () => {
  const said = agreement[2].said;
  const heads = (k: number): number[] => said.map((member) => member[1 + k]);

  it('give a probability by the logistic function, and moduli in GPa by their scales', () => {
    const prediction = predict(model, crystals[2]);
    expect(prediction.insulatorProbability).toBeCloseTo(1 / (1 + Math.exp(-mean(heads(0)))), 7);
    for (const [{ value, low, high }, k, scale, half] of [
      [
        prediction.bulkModulus,
        3,
        model.manifest.scales.log10BulkModulus,
        model.manifest.interval.log10BulkModulus,
      ],
      [
        prediction.shearModulus,
        4,
        model.manifest.scales.log10ShearModulus,
        model.manifest.interval.log10ShearModulus,
      ],
    ] as const) {
      expect(Math.log10(value)).toBeCloseTo(scale[0] + scale[1] * mean(heads(k)), 7);
      expect(Math.log10(high / value)).toBeCloseTo(half, 9);
      expect(Math.log10(value / low)).toBeCloseTo(half, 9);
    }
  });

  it('give a gap weighted by the probability of a gap, and never below 0', () => {
    const calibrated = withInterval({ gapEdges: [-1, 1], gapHalfWidths: [0.1, 0.2, 0.4] });
    const raw = [Float64Array.of(0.5), Float64Array.of(1.5)];
    // ln(1 + e^{2x})/2 at 0.5 and 1.5.
    const value = (Math.log(1 + Math.E) + Math.log(1 + Math.E ** 3)) / 4;
    for (const [logit, half] of [
      [-1.01, 0.1],
      [-1, 0.2],
      [0.99, 0.2],
      [1, 0.4],
    ]) {
      const gap = gapInterval(calibrated, raw, logit, 0);
      expect(gap.value).toBeCloseTo(value, 12);
      expect(gap.high - gap.value).toBeCloseTo(half, 12);
      expect(gap.value - gap.low).toBeCloseTo(half, 12);
    }
    const small = gapInterval(calibrated, [Float64Array.of(-4)], 5, 0);
    expect([small.low, small.high]).toEqual([0, expect.closeTo(small.value + 0.4, 12)]);
    // In both limits the softplus neither overflows nor falls below 0.
    expect(gapInterval(calibrated, [Float64Array.of(400)], 5, 0).value).toBeLessThan(
      Number.POSITIVE_INFINITY,
    );
    expect(gapInterval(calibrated, [Float64Array.of(-400)], 5, 0).value).toBeGreaterThanOrEqual(0);
  });

  it('give a gap the interval of its class and size, and a separate interval if the gap is uncertain', () => {
    const byClass = { oxide: [0.1, 0.2, 1, 2, 3], other: [0.3, 0.4, 4, 5, 6] };
    const gapHalfWidths = {
      ...byClass,
      halide: byClass.other,
      chalcogenide: byClass.other,
      intermetallic: byClass.other,
      'f-element': byClass.other,
    };
    const calibrated = withInterval({ gapEdges: [0], gapSizes: [0.5, 2], gapHalfWidths });
    const halfOf = (raw: number, logit: number, group: 'oxide' | 'other'): number => {
      const { value, high } = gapInterval(calibrated, [Float64Array.of(raw)], logit, 0, gapHalfWidths, group);
      return Number((high - value).toFixed(9));
    };
    // ln(1 + e^{2x})/2 is 0.003 at −2.5, 1.06 at 1 and 3 at 3.
    expect([-1, 1].map((logit) => halfOf(-2.5, logit, 'oxide'))).toEqual([0.1, 0.2]);
    expect([-1, 1].map((logit) => halfOf(1, logit, 'oxide'))).toEqual([1, 2]);
    expect([-1, 1].map((logit) => halfOf(3, logit, 'other'))).toEqual([4, 6]);
  });
});

describe('the position among the training crystals', () => {
  const random = seededRandom(77);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const list = (length: number): number[] => Array.from({ length }, normal);

  function predictorOf(
    rows: number,
    size: number,
    channels: number,
    quantiles: readonly [number, number, number],
  ) {
    const places = Float32Array.from(list(rows * size));
    const errors = Float32Array.from({ length: rows }, random);
    const domain = {
      mean: list(channels),
      components: list(size * channels),
      quantiles,
      known: Array.from({ length: rows }, (_, row) => `mp-${row} X${row}`),
    };
    const predictor: Predictor = {
      manifest: { ...model.manifest, domain },
      members: [],
      evaluate: () => [],
      places,
      errors,
    };
    return { predictor, places, errors, domain };
  }

  it('has the same five nearest neighbours as a brute-force search finds', () => {
    for (const [rows, size, channels] of [
      [40, 3, 5],
      [5, 2, 2],
      [3, 1, 4],
      [200, 4, 4],
    ]) {
      const { predictor, places, errors, domain } = predictorOf(rows, size, channels, [1, 2, 3]);
      const latent = Float64Array.from(list(channels));
      const found = domainOf(predictor, latent, true);
      const here = Array.from({ length: size }, (_, k) =>
        latent.reduce((sum, x, c) => sum + domain.components[k * channels + c] * (x - domain.mean[c]), 0),
      );
      here.forEach((x, k) => expect(found.place[k]).toBeCloseTo(x, 10));
      const all = Array.from({ length: rows }, (_, row) => ({
        row,
        distance: Math.hypot(...here.map((x, k) => x - places[row * size + k])),
      })).sort((a, b) => a.distance - b.distance);
      const five = all.slice(0, 5);
      expect(found.nearest).toEqual(
        five.map(({ row, distance }) => ({
          id: `mp-${row}`,
          formula: `X${row}`,
          distance: expect.closeTo(distance, 10),
        })),
      );
      expect(found.distance).toBeCloseTo(mean(five.map(({ distance }) => distance)), 10);
      expect(found.nearbyError).toBeCloseTo(mean(five.map(({ row }) => errors[row])), 10);
    }
  });

  it('is near, edge or outside by the 90 and 99 % quantiles, and outside for unusual atomic environments', () => {
    const { predictor, domain } = predictorOf(30, 2, 3, [0, 1, 1]);
    const latent = Float64Array.from(domain.mean);
    const { distance } = domainOf(predictor, latent, true);
    const familiarity = (ninety: number, ninetyNine: number, isAsTaught = true): string =>
      domainOf(
        {
          ...predictor,
          manifest: { ...predictor.manifest, domain: { ...domain, quantiles: [0, ninety, ninetyNine] } },
        },
        latent,
        isAsTaught,
      ).familiarity;
    expect(familiarity(distance, distance)).toBe('near');
    expect(familiarity(distance - 1e-9, distance)).toBe('edge');
    expect(familiarity(distance - 2e-9, distance - 1e-9)).toBe('outside');
    expect(familiarity(distance, distance, false)).toBe('outside');
  });
});

describe('the probability of lying within a margin of the hull', () => {
  const line = Array.from({ length: 201 }, (_, k) => k / 100 - 1);
  const unchanged = { told: [0, 1], found: [0, 1] };
  /**
   * Errors are uniform from −1 to 1 times the expected error, and frequencies equal predictions: P = (1 − (d −
   * m)/e) / 2.
   */
  const even = (chances = unchanged): Model => ({
    ...model,
    manifest: { ...withInterval({ signedScores: line }).manifest, chances },
  });
  const prediction = predict(model, crystals[0]);
  const e = prediction.expectedError;

  it('follows from the distribution of errors, in closed form for uniform errors', () => {
    const random = seededRandom(5);
    for (let round = 0; round < 200; round++) {
      const [distance, margin] = [(2.4 * random() - 1.2) * e, 0.3 * random() * e];
      const known = Math.max(0, Math.min(1, (1 - (distance - margin) / e) / 2));
      expect(probabilityWithin(even(), prediction, distance, margin)).toBeCloseTo(known, 9);
    }
  });

  it('is corrected to the observed frequencies', () => {
    const corrected = even({ told: [0, 0.5, 1], found: [0, 0.2, 1] });
    for (const [share, found] of [
      [0, 0],
      [0.25, 0.1],
      [0.5, 0.2],
      [0.75, 0.6],
      [1, 1],
    ])
      expect(probabilityWithin(corrected, prediction, (1 - 2 * share) * e, 0)).toBeCloseTo(found, 9);
  });

  it('uses the errors of predictions from formulas for a formula', () => {
    const formula = predictComposition(model, parseFormula('SrTiO3'));
    const broken = {
      ...model,
      manifest: { ...model.manifest, interval: withInterval({ signedScores: line }).manifest.interval },
    };
    expect(probabilityWithin(broken, formula, 0.1, 0.05)).toBe(probabilityWithin(model, formula, 0.1, 0.05));
    expect(probabilityWithin(broken, prediction, 0.1, 0.05)).not.toBe(
      probabilityWithin(model, prediction, 0.1, 0.05),
    );
  });
});

describe('the class of a compound', () => {
  it.each([
    ['LiFePO4', 'oxide'],
    ['BaO', 'oxide'],
    ['CeO2', 'f-element'],
    ['UF6', 'f-element'],
    // Lanthanum and lutetium have an empty and a full f shell.
    ['La2O3', 'oxide'],
    ['LuN', 'other'],
    ['BiOCl', 'oxide'],
    ['NaCl', 'halide'],
    ['AgI', 'halide'],
    ['CdSI2', 'halide'],
    ['ZnS', 'chalcogenide'],
    ['Bi2Te3', 'chalcogenide'],
    ['GaAs', 'other'],
    ['SiC', 'other'],
    ['PdH', 'other'],
    ['Fe3Al', 'intermetallic'],
    ['AuSn', 'intermetallic'],
    ['SmCo5', 'f-element'],
  ])('of %s is %s, whatever the order of its elements', (formula, group) => {
    const elements = Object.keys(parseFormula(formula));
    expect([compoundClass(elements), compoundClass(elements.toReversed())]).toEqual([group, group]);
  });

  it('follows the position in the periodic table for an element', () => {
    const groupsOf = (...categories: string[]): string[] => [
      ...new Set(
        ELEMENTS.filter(({ category }) => categories.includes(category)).map(({ symbol }) =>
          compoundClass([symbol]),
        ),
      ),
    ];
    expect(groupsOf('alkali-metal', 'alkaline-earth-metal', 'transition-metal')).toEqual(['intermetallic']);
    // By this rule, lanthanum, lutetium and elements beyond curium are not f elements.
    expect(groupsOf('lanthanide', 'actinide').sort()).toEqual(['f-element', 'intermetallic']);
    expect(
      ELEMENTS.filter(({ symbol }) => compoundClass([symbol]) === 'halide').map(({ category }) => category),
    ).toEqual(Array.from({ length: 4 }, () => 'halogen'));
  });
});
