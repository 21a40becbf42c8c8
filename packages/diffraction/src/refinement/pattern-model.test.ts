import { describe, expect, it } from 'vitest';
import { CORUNDUM, FLUORITE, MONOCLINIC, simulatedScan, ZINCITE } from '../testing/simulated-scan.ts';
import { axialNodes } from './axial-divergence.ts';
import { setTexture } from './fit-state.ts';
import { withArrays } from './kernel-arrays.ts';
import { angularFactor, evaluatePattern, linesOf } from './pattern-model.ts';
import { combineWidths, newLineWidth, tailsOf } from './peak-shape.ts';
import { prepare } from './prepare.ts';
import type { RadiationLine, RefinementRequest } from './types.ts';

describe('line shapes', () => {
  it.each([
    [0.1, 0, 1],
    [0.1, 0.05, 0.1],
    [0.05, 0.2, 0.01],
    [0.005, 0.3, 0.001],
  ])(
    'have unit area for a Gaussian of %s°, a Lorentzian of %s° and a height of %s',
    (gauss, lorentz, share) => {
      const width = newLineWidth();
      combineWidths(gauss, lorentz, width);
      const tails = tailsOf(share);
      const step = width.h / 40;
      // An odd number of points: the kernel takes two at a time.
      const points = 2 * Math.ceil((tails.reach * width.h) / step) + 3;
      const x = Float64Array.from({ length: points }, (_, i) => 50 + (i - (points - 1) / 2) * step);
      const [value, alone] = withArrays(({ run, table, put, zeros, copy }) => {
        const shape = zeros(4 * (points + 1));
        const sum = zeros(points);
        const { level, reach, scale } = tails;
        const line = [put(x), 0, points + 1, 50, width.h, width.eta, reach, level, scale, 1, table] as const;
        run.addShape(...line, shape, 8 * (points + 1));
        run.addShapeValue(...line, sum);
        return [copy(shape, points), copy(sum, points)];
      });
      expect(value.reduce((sum, one) => sum + one * step, 0)).toBeCloseTo(1, 5);
      alone.forEach((one, i) => expect(one).toBeCloseTo(value[i], 9));
      // The pseudo-Voigt that peak-shape.ts defines.
      const { h, eta } = width;
      x.forEach((at, i) => {
        const u = (at - 50) / h;
        if (Math.abs(u) >= tails.reach) return;
        const bell = tails.scale * (1 / (1 + 4 * u * u) - tails.level);
        const normal = 2 * Math.sqrt(Math.LN2 / Math.PI) * Math.exp(-4 * Math.LN2 * u * u);
        expect(h * value[i]).toBeCloseTo(eta * bell + (1 - eta) * normal, 11);
      });
    },
  );

  it('are a pure Gaussian or Lorentzian when the other width is zero', () => {
    const width = newLineWidth();
    combineWidths(0.1, 0, width);
    expect(width).toMatchObject({ h: expect.closeTo(0.1, 12), eta: 0 });
    combineWidths(0, 0.1, width);
    expect(width).toMatchObject({ h: expect.closeTo(0.1, 12), eta: expect.closeTo(1, 9) });
  });
});

describe('axial divergence', () => {
  it('moves intensity to lower angles below 90° and to higher angles above 90°, and keeps the sum', () => {
    const shape = { smallerShare: 0.5 };
    for (const twoThetaDeg of [10, 30, 60, 120, 150]) {
      const nodes = axialNodes(0.06, shape, (twoThetaDeg * Math.PI) / 180, 0.1);
      expect(nodes.weight.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 12);
      for (const offset of nodes.offset.subarray(0, nodes.count))
        expect(Math.sign(offset)).toBe(twoThetaDeg < 90 ? -1 : 1);
    }
  });

  it('has the same mean shift for a broad line (two nodes) as for a narrow line (sixteen nodes)', () => {
    const at = (widthDeg: number) => axialNodes(0.06, { smallerShare: 0.5 }, Math.PI / 6, widthDeg);
    const [narrow, broad] = [at(0.01), at(20)];
    expect([narrow.count, broad.count]).toEqual([16, 2]);
    expect(broad.mean / narrow.mean).toBeCloseTo(1, 2);
    expect(broad.meanSlope / narrow.meanSlope).toBeCloseTo(1, 2);
  });

  it('shifts the centre of a line by half the mean square height over tan 2θ', () => {
    // ⟨h²⟩ of the triangle 1 − t over 0 … a is a²/6.
    const nodes = axialNodes(0.04, { smallerShare: 0.5 }, Math.PI / 6, 0.1);
    const centre = nodes.offset.reduce((sum, offset, i) => sum + offset * nodes.weight[i], 0);
    const expected = ((-0.04 * 0.04) / 12 / Math.tan(Math.PI / 6)) * (180 / Math.PI);
    expect(centre / expected).toBeCloseTo(1, 2);
  });
});

describe('the irradiated amount of sample', () => {
  const factor = (thetaDeg: number, illumination: Parameters<typeof angularFactor>[1]['illumination']) =>
    angularFactor(Math.sin((thetaDeg * Math.PI) / 180) ** 2, { polarisation: 1, illumination }).value;
  const thick = { isSlitVariable: false };

  it('grows with sin θ if the slit keeps the irradiated length constant', () => {
    expect(factor(30, { isSlitVariable: true }) / factor(30, thick)).toBeCloseTo(0.5, 12);
    expect(factor(15, { isSlitVariable: true }) / factor(15, thick)).toBeCloseTo(Math.sin(Math.PI / 12), 12);
  });

  it('is below that of a thick sample if the sample is thin, and equal to it if μt is large', () => {
    // 1 − exp(−2 · 0.3 / sin 30°)
    expect(factor(30, { ...thick, thickness: 0.3 }) / factor(30, thick)).toBeCloseTo(0.698806, 6);
    expect(factor(30, { ...thick, thickness: 50 }) / factor(30, thick)).toBeCloseTo(1, 12);
  });
});

describe('a request for a refinement', () => {
  const doublet = [
    { wavelength: 1.435155, weight: 1 },
    { wavelength: 1.439, weight: 0.5 },
  ];
  const one = (wavelength: number) => [{ wavelength, weight: 1 }];
  const harmonics = (wavelength: number) => [
    { wavelength, weight: 1 },
    { wavelength: wavelength / 2, weight: 0.01 },
  ];
  const request = simulatedScan({
    phases: [{ label: 'zincite', structure: ZINCITE }],
    fractions: [1],
    range: [25, 70],
  });
  const synchrotron = { options: { ...request.options, profile: 'synchrotron' as const } };
  // A synchrotron is polarised in the plane of the ring, and K = 0 for detectors that move perpendicular to it.
  it.each<[string, number, Partial<RefinementRequest>]>([
    ['of Cu Kα', 1, {}],
    ['of Cu Kα1 as written in files', 1, { radiation: one(1.540598) }],
    ['of a tube of another anode', 1, { radiation: doublet }],
    ['of a wavelength that no tube emits', 0, { radiation: one(0.413529) }],
    ['of λ and λ/2 of a synchrotron', 0, { radiation: harmonics(0.413529) }],
    ['of Cu Kα1 and its half', 1, { radiation: harmonics(1.540598) }],
    ['of Co Kβ', 1, { radiation: one(1.62083) }],
    ['of a synchrotron with the wavelength of a tube', 0, { radiation: one(1.5406), ...synchrotron }],
    ['behind a monochromator', 0.25, { radiation: one(0.413529), monochromatorTwoThetaDeg: 60 }],
    ['that is given', 0.1, { polarisationRatio: 0.1, ...synchrotron }],
  ])('%s has the polarisation K = %s', (_, k, change) => {
    expect(prepare({ ...request, ...change }, {}).state.model.polarisation).toBeCloseTo(k, 12);
  });

  it.each<[string, string, Partial<RefinementRequest>]>([
    ['of a flat sample in a diffractometer', 'displacement', {}],
    ['of a capillary at a synchrotron', 'zero', { radiation: one(0.413529) }],
    ['of a synchrotron with the wavelength of a tube', 'zero', { radiation: one(1.5406), ...synchrotron }],
    ['of neutrons', 'zero', { radiation: one(1.5406), probe: 'neutron' }],
  ])('%s refines the angular error %s', (_, shift, change) => {
    expect(prepare({ ...request, ...change }, {}).plan.shift).toBe(shift);
  });
});

/** A model with two textured phases and a hump in the background. No parameter is at its limit. */
function model() {
  const request = simulatedScan({
    phases: [
      { label: 'zincite', structure: ZINCITE },
      { label: 'monoclinic', structure: MONOCLINIC },
    ],
    fractions: [0.5, 0.5],
    range: [20, 70],
    stepDeg: 0.02,
  });
  const { state } = prepare(
    {
      ...request,
      isSlitVariable: true,
      sampleThickness: 0.3,
      options: { ...request.options, humps: 1 },
    },
    {},
  );
  setTexture(state, 0, [1, 0, 1]);
  setTexture(state, 1, [0, 1, 0]);
  const { layout } = state.model;
  const set: Record<string, number> = {
    'hump 0 height': 20,
    U: 0.01,
    V: -0.004,
    W: 0.01,
    zero: 0.01,
    displacement: 0.03,
    'axial divergence': 0.05,
    X: 0.04,
    Y: 0.06,
    'March r': 0.7,
    B: 0.4,
  };
  layout.specs.forEach(({ name }, parameter) => {
    if (Object.hasOwn(set, name)) state.values[parameter] = set[name];
  });
  return state;
}

describe('the calculated pattern', () => {
  const state = model();
  const { specs } = state.model.layout;
  const all = specs.map((_, parameter) => parameter);
  const { columns } = evaluatePattern(state.model, state.values, all);

  it.each(
    all.map((parameter) => ({
      parameter,
      name: `${specs[parameter].name}${specs[parameter].phase === undefined ? '' : ` of phase ${specs[parameter].phase}`}`,
    })),
  )('has the derivative by $name that finite differences give', ({ parameter }) => {
    const column = columns[parameter];
    const size = Math.sqrt(column.reduce((sum, value) => sum + value * value, 0));
    const scale = Math.sqrt(state.points.y.reduce((sum, value) => sum + value * value, 0));
    // The four-point difference cancels the terms of third order in the step. The step changes the pattern by
    // the given share of its norm. The smaller of two errors counts: a large step crosses the kink at the end
    // of a tail, and a small step loses digits.
    const errors = [2e-7, 2e-8].map((share) => {
      const step = (share * scale) / size;
      const at = (steps: number) => {
        const values = Float64Array.from(state.values);
        values[parameter] += steps * step;
        return evaluatePattern(state.model, values, []).calculated;
      };
      const [a, b, c, d] = [at(-2), at(-1), at(1), at(2)];
      let error = 0;
      column.forEach((value, i) => {
        error += (value - (a[i] - 8 * b[i] + 8 * c[i] - d[i]) / (12 * step)) ** 2;
      });
      return Math.sqrt(error) / size;
    });
    expect(Math.min(...errors)).toBeLessThan(1e-6);
  });

  it('gives every line an area equal to its strength', () => {
    const request = simulatedScan({
      phases: [
        { label: 'fluorite', structure: FLUORITE },
        { label: 'corundum', structure: CORUNDUM },
      ],
      fractions: [0.5, 0.5],
    });
    const { state: fit } = prepare(request, {});
    const { x } = fit.model;
    fit.values.fill(0, 0, fit.model.layout.common.zero);
    fit.values[fit.model.layout.common.axial] = 0.04;
    let total = 0;
    // Only lines whose tails lie entirely inside the pattern are compared.
    evaluatePattern(fit.model, fit.values, [], ({ area, from, count, shape }) => {
      if (from === 0 || from + count === x.length) return;
      let sum = 0;
      for (let i = 0; i < count; i++) sum += shape[i] * 0.02;
      expect(sum).toBeCloseTo(1, 3);
      total += area;
    });
    expect(total).toBeGreaterThan(0);
  });
});

it('a second, shorter wavelength adds lines that the first wavelength puts beyond the end of the pattern', () => {
  const { pattern, phases, options } = simulatedScan({
    phases: [{ label: 'corundum', structure: CORUNDUM }],
    fractions: [1],
    range: [40, 61],
  });
  // (124) of corundum, d = 1.405 Å: 66.5° with Cu Kα1, 59.4° with Kβ.
  const shortest = (radiation: readonly RadiationLine[]): number => {
    const { lines } = prepare({ pattern, phases, options, radiation }, {}).state.model.phases[0];
    return 1 / Math.sqrt(lines.g[lines.count - 1]);
  };
  const first = { wavelength: 1.540593, weight: 1 };
  expect(shortest([first])).toBeGreaterThan(1.45);
  expect(shortest([first, { wavelength: 1.39222, weight: 0.02 }])).toBeLessThan(1.406);
});

it('precalculated lines of a phase do not change the pattern or its derivative by the scale', () => {
  const { state } = prepare(
    simulatedScan({
      phases: [
        { label: 'corundum', structure: CORUNDUM },
        { label: 'fluorite', structure: FLUORITE },
      ],
      fractions: [0.4, 0.6],
      range: [20, 80],
    }),
    {},
  );
  const { values } = state;
  const [first, second] = state.model.phases;
  const { scale } = state.model.layout.phases[0];
  const unit = Float64Array.from(values);
  unit[scale] = 1;
  const pattern = linesOf(state.model, unit, state.model.x, 0);
  const before = { ...state.model, phases: [{ ...first, pattern }, second] };
  const [expected, found] = [state.model, before].map((one) => evaluatePattern(one, values, [scale]));
  const highest = Math.max(...expected.calculated);
  expected.calculated.forEach((value, i) => {
    expect(Math.abs(found.calculated[i] - value)).toBeLessThan(1e-9 * highest);
    expect(values[scale] * Math.abs(found.columns[0][i] - expected.columns[0][i])).toBeLessThan(
      1e-9 * highest,
    );
  });
});
