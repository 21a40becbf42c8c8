import { describe, expect, it } from 'vitest';
import { latticeVectorsFromParameters } from '@unitcell/crystal';
import { type Mat3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { DiffractionError } from '../diffraction-error.ts';
import {
  CORUNDUM,
  FLUORITE,
  MONOCLINIC,
  simulatedScan,
  stretched,
  ZINCITE,
} from '../testing/simulated-scan.ts';
import { readMeasuredPattern } from '../read-measured-pattern.ts';
import { utf8 } from '../testing/instrument-files.ts';
import { refine } from './refine.ts';
import type { RefinementRequest } from './types.ts';

const zincite = { label: 'zincite', structure: ZINCITE };
const corundum = { label: 'corundum', structure: CORUNDUM };
const fluorite = { label: 'fluorite', structure: FLUORITE };

const withPhases = (request: RefinementRequest, phases: RefinementRequest['phases']): RefinementRequest => ({
  ...request,
  phases,
});

describe('refine', () => {
  const starts = Array.from({ length: process.env.NIGHTLY ? 6 : 2 }, (_, seed) => seed + 1);
  it.each(starts)('finds the parameters of a simulated two-phase pattern from start %i', (seed) => {
    const request = simulatedScan({
      phases: [zincite, corundum],
      fractions: [0.3, 0.7],
      values: { displacement: 0.05, W: 0.008, X: 0.04, Y: 0.08 },
      range: [20, 100],
    });
    const random = seededRandom(seed);
    const off = (): number => 1 + 0.02 * (random() - 0.5);
    const [a, b] = [off(), off()];
    const result = refine(
      withPhases(request, [
        { ...zincite, structure: stretched(ZINCITE, [a, a, off()]) },
        { ...corundum, structure: stretched(CORUNDUM, [b, b, off()]) },
      ]),
    );
    expect(result.rwp).toBeLessThan(2e-3);
    const [first, second] = result.phases;
    expect(first.cell.a.value / 3.2495).toBeCloseTo(1, 5);
    expect(first.cell.c.value / 5.2069).toBeCloseTo(1, 5);
    expect(second.cell.a.value / 4.757).toBeCloseTo(1, 5);
    expect(second.cell.c.value / 12.9877).toBeCloseTo(1, 5);
    expect(first.weightFraction!.value).toBeCloseTo(0.3, 3);
    expect(first.weightFraction!.value + second.weightFraction!.value).toBeCloseTo(1, 12);
    expect(result.displacementDeg!.value).toBeCloseTo(0.05, 3);
  });

  it('does not count a line in R(Bragg) if the pattern contains only its tail', () => {
    // The pattern ends 1.5° before the strongest line, 220.
    const request = simulatedScan({ phases: [fluorite], fractions: [1], range: [20, 45.5], seed: 1 });
    expect(refine(request).phases[0].rBragg).toBeLessThan(0.01);
  });

  it('does not count the lines of an excluded region in R(Bragg)', () => {
    const { pattern, ...request } = simulatedScan({ phases: [zincite], fractions: [1], range: [20, 90] });
    // With oxygen in a wrong place intensities are wrong. The strongest lines are below 40°.
    const sites = ZINCITE.sites.map((site) => {
      const [x, y, z] = site.fractionalCoords;
      return site.species[0].element === 'O' ? { ...site, fractionalCoords: [x, y, z + 0.06] as Vec3 } : site;
    });
    const wrong = { label: 'zincite', structure: { ...ZINCITE, sites } };
    const rBraggOf = (part: Partial<RefinementRequest>): number =>
      refine({ ...request, pattern, phases: [wrong], ...part }).phases[0].rBragg;
    const above40 = (values: ArrayLike<number>): number[] =>
      Array.from(values).filter((_, i) => pattern.twoThetaDeg[i] > 40);
    const cut = rBraggOf({
      pattern: { twoThetaDeg: above40(pattern.twoThetaDeg), intensities: above40(pattern.intensities) },
    });
    expect(cut).toBeGreaterThan(0.05);
    expect(rBraggOf({ excluded: [[20, 40]] })).toBeCloseTo(cut, 3);
  });

  it.each([
    ['plates', 0.7],
    ['needles', 1.2],
  ])('finds fractions, cells and texture of noisy mixtures with %s within their e.s.d.', (_, march) => {
    const request = simulatedScan({
      phases: [zincite, corundum, fluorite],
      fractions: [0.5, 0.3, 0.2],
      march,
      seed: 7,
    });
    const result = refine(request);
    expect(result.chiSquared).toBeGreaterThan(0.8);
    expect(result.chiSquared).toBeLessThan(1.2);
    expect(result.phases[0].texture?.axis).toEqual([0, 0, 1]);
    const near = ({ value, esd }: { value: number; esd?: number | undefined }, truth: number) =>
      expect(Math.abs(value - truth) / esd!).toBeLessThan(4);
    near(result.phases[0].texture!.r, march);
    near(result.phases[0].cell.a, 3.2495);
    near(result.phases[1].cell.c, 12.9877);
    near(result.phases[2].cell.a, 5.463);
    [0.5, 0.3, 0.2].forEach((fraction, p) => near(result.phases[p].weightFraction!, fraction));
  });

  it('finds texture in a cubic crystal, where the derivative by r is zero at r = 1', () => {
    const result = refine(simulatedScan({ phases: [fluorite], fractions: [1], march: 0.6, seed: 6 }));
    expect(result.phases[0].texture?.axis).toEqual([0, 0, 1]);
    expect(result.phases[0].texture!.r.value).toBeCloseTo(0.6, 1);
    expect(result.chiSquared).toBeLessThan(1.2);
  });

  it('weights points by 1/σ² of the file, and computes Rwp and χ² by their definitions', () => {
    const { pattern, ...request } = simulatedScan({
      phases: [fluorite],
      fractions: [1],
      range: [25, 70],
      seed: 3,
    });
    // Counts per 100 s; a foreign line at 45° to 49° is stated to be uncertain.
    const isForeign = (x: number): boolean => x > 45 && x < 49;
    const lines = Array.from(pattern.twoThetaDeg, (x, i) => {
      const y = pattern.intensities[i];
      return isForeign(x) ? `${x} ${(3 * y) / 100} 1e5` : `${x} ${y / 100} ${Math.sqrt(y) / 100}`;
    });
    const { x, y, sigmas } = readMeasuredPattern(utf8(lines.join('\n')));
    const result = refine({ ...request, pattern: { twoThetaDeg: x, intensities: y, sigmas } });
    expect(Math.abs(result.phases[0].cell.a.value - 5.463)).toBeLessThan(4 * result.phases[0].cell.a.esd!);
    const sum = (of: (i: number) => number): number => x.reduce((total, _, i) => total + of(i) ** 2, 0);
    const residual = sum((i) => (result.observed[i] - result.calculated[i]) / sigmas![i]);
    const degrees = x.length - result.parameters.length;
    expect(result.rwp).toBeCloseTo(Math.sqrt(residual / sum((i) => result.observed[i] / sigmas![i])), 9);
    expect(result.chiSquared).toBeCloseTo(residual / degrees, 9);
    // The foreign points add to the number of points, but hardly to Σ w Δ².
    expect(
      Math.abs((result.chiSquared * degrees) / Array.from(x).filter((at) => !isForeign(at)).length - 1),
    ).toBeLessThan(0.1);
    expect(result.notices.map(({ code }) => code)).not.toContain('not-counts');
  });

  it('gives the same result for the same request', () => {
    const request = simulatedScan({ phases: [zincite], fractions: [1], range: [25, 70], seed: 3 });
    expect(refine(request)).toEqual(refine(request));
  });

  it('refines the cell of a crystal without atoms by Le Bail', () => {
    const request = simulatedScan({ phases: [corundum], fractions: [1], range: [20, 90], seed: 2 });
    const result = refine({
      ...request,
      phases: [{ label: 'cell', structure: { latticeVectors: CORUNDUM.latticeVectors, sites: [] } }],
      options: { ...request.options, method: 'le-bail' },
    });
    expect(result.phases[0].cell.a.value / 4.757).toBeCloseTo(1, 4);
    expect(result.phases[0].cell.c.value / 12.9877).toBeCloseTo(1, 4);
    expect(result.phases[0].weightFraction).toBeUndefined();
    expect(result.chiSquared).toBeLessThan(1.4);
  });

  it('constrains an angle to 90° only if the symmetry requires it', () => {
    const request = simulatedScan({
      phases: [{ label: 'monoclinic', structure: MONOCLINIC }],
      fractions: [1],
      range: [10, 80],
      seed: 4,
    });
    const { cell } = refine(request).phases[0];
    expect(cell.alpha).toEqual({ value: expect.closeTo(90, 9) });
    expect(Math.abs(cell.beta.value - 103) / cell.beta.esd!).toBeLessThan(4);
  });

  it('finds an angle of a monoclinic cell that starts at 90°', () => {
    const cellAt = (beta: number) =>
      latticeVectorsFromParameters({ a: 5.1, b: 6.3, c: 7.2, alpha: 90, beta, gamma: 90 });
    // Rotations of the point group 2/m leave β free at 90°, too.
    const symmetryRotations: Mat3[] = [1, -1].map((sign) => [
      [sign, 0, 0],
      [0, 1, 0],
      [0, 0, sign],
    ]);
    const phaseAt = (beta: number) => ({
      label: 'monoclinic',
      structure: { ...MONOCLINIC, latticeVectors: cellAt(beta) },
      symmetryRotations,
    });
    const request = simulatedScan({ phases: [phaseAt(90.3)], fractions: [1], range: [10, 80], seed: 4 });
    const { cell } = refine(withPhases(request, [phaseAt(90)])).phases[0];
    expect(cell.beta.value).toBeGreaterThan(90.2);
    expect(Math.abs(cell.beta.value - 90.3) / cell.beta.esd!).toBeLessThan(4);
    expect(cell.a.esd).toBeGreaterThan(0);
  });

  it('reports the peaks and the share of the intensity that a missing phase of 5 % leaves', () => {
    const request = simulatedScan({
      phases: [zincite, corundum, fluorite],
      fractions: [0.5, 0.45, 0.05],
      range: [20, 90],
      seed: 6,
    });
    const noticeOf = ({ notices }: ReturnType<typeof refine>) =>
      notices.find(({ code }) => code === 'unexplained-intensity');
    const whole = refine(request);
    expect(noticeOf(whole)).toBeUndefined();
    const [rest, missing] = [whole.phases.slice(0, 2), whole.phases.slice(2)].map((phases) =>
      phases.flatMap(({ ticks }) => ticks.intensity).reduce((sum, intensity) => sum + intensity, 0),
    );
    // A fifth of the lines of fluorite lies under those of the others. Its strongest ones are (220), (111) and (311).
    expect(noticeOf(refine(withPhases(request, [zincite, corundum])))).toEqual({
      code: 'unexplained-intensity',
      share: expect.closeTo((0.8 * missing) / (rest + missing), 2),
      twoThetaDeg: [expect.closeTo(47.0, 1), expect.closeTo(28.3, 1), expect.closeTo(55.8, 1)],
    });
  });

  it('determines the amorphous share from an internal standard', () => {
    const request = simulatedScan({
      phases: [zincite, corundum],
      fractions: [0.5, 0.5],
      seed: 5,
      range: [25, 90],
    });
    // The model has equal masses of both phases. If the standard is a fifth of the sample, so is the other phase, and
    // three fifths are amorphous.
    const result = refine(withPhases(request, [zincite, { ...corundum, standardFraction: 0.2 }]));
    expect(result.amorphousFraction!.value).toBeCloseTo(0.6, 1);
    expect(result.notices).toContainEqual({
      code: 'not-accounted-for',
      fraction: result.amorphousFraction!.value,
    });
  });

  it('finds the crystallite size if the instrument is calibrated with a standard', () => {
    const standard = refine(
      simulatedScan({
        phases: [fluorite],
        fractions: [1],
        values: { W: 0.005, X: 0.02, Y: 0.03, U: 0.002 },
        seed: 8,
      }),
    );
    // 20 nm: X = 0.9 λ / L = 0.397°, plus 0.02° of the instrument.
    const request = simulatedScan({
      phases: [zincite],
      fractions: [1],
      values: { W: 0.005, X: 0.417, Y: 0.03, U: 0.002 },
      seed: 9,
    });
    const options = { ...request.options, profile: standard.profile, profileIsCalibrated: true };
    const result = refine({ ...request, options });
    expect(result.phases[0].sizeNm!.value / 20).toBeCloseTo(1, 1);
    expect(result.notices.map(({ code }) => code)).not.toContain('size-uncalibrated');
  });

  it('reports its progress, and stops if it is cancelled or out of time', () => {
    const request = simulatedScan({ phases: [zincite], fractions: [1], range: [25, 70] });
    const cycles: number[] = [];
    const full = refine(request, { progress: ({ cycle }) => cycles.push(cycle) });
    expect(Math.max(...cycles)).toBe(full.cycles);
    let asked = 0;
    expect(() => refine(request, { cancelled: () => ++asked > 5 })).toThrow(
      expect.objectContaining({ code: 'cancelled' }),
    );
    asked = 0;
    const early = refine(request, { outOfTime: () => ++asked > 12 });
    expect(early.cycles).toBeLessThan(full.cycles);
    expect(early.notices).toContainEqual({ code: 'time-limit', cycles: early.cycles });
    const short = refine({ ...request, options: { ...request.options, maxCycles: 3 } });
    expect(short.cycles).toBeLessThanOrEqual(3);
    expect(short.notices.map(({ code }) => code)).toContain('not-converged');
  });
});

describe('bad input', () => {
  const good = simulatedScan({ phases: [zincite], fractions: [1], range: [25, 70], seed: 1 });
  const { twoThetaDeg, intensities } = good.pattern;
  const points = twoThetaDeg.length;
  const pattern = (y: (i: number) => number, x = (i: number) => twoThetaDeg[i], n = points) => ({
    pattern: {
      twoThetaDeg: Array.from({ length: n }, (_, i) => x(i)),
      intensities: Array.from({ length: n }, (_, i) => y(i)),
    },
  });
  const refusals: [string, string, Partial<RefinementRequest>][] = [
    ['five points', 'few-points', pattern((i) => i, undefined, 5)],
    [
      'angles that do not rise',
      'angles',
      pattern(
        (i) => intensities[i],
        (i) => 50 - i / 100,
      ),
    ],
    ['an intensity that is no number', 'not-numbers', pattern((i) => (i === 9 ? Number.NaN : 1))],
    ['nothing but zeros', 'flat', pattern(() => 0)],
    ['no phase', 'no-phases', { phases: [] }],
    ['six phases', 'too-many-phases', { phases: Array.from({ length: 6 }, () => zincite) }],
    [
      'a phase without atoms',
      'phase-without-atoms',
      { phases: [{ label: 'empty', structure: { ...ZINCITE, sites: [] } }] },
    ],
    ['no radiation', 'radiation', { radiation: [] }],
    ['regions that exclude everything', 'few-points', { excluded: [[0, 180]] }],
    [
      'a phase whose reflections all lie outside',
      'phase-without-lines',
      {
        phases: [{ label: 'tiny', structure: stretched(FLUORITE, [0.2, 0.2, 0.2] satisfies Vec3) }],
      },
    ],
    [
      'two internal standards',
      'options',
      {
        phases: [
          { ...zincite, standardFraction: 0.2 },
          { ...corundum, standardFraction: 0.2 },
        ],
      },
    ],
    ['fifty background terms', 'options', { options: { ...good.options, backgroundTerms: 50 } }],
  ];
  it.each(refusals)('refuses %s with the reason %s', (_, reason, change) => {
    const attempt = () => refine({ ...good, ...change });
    expect(attempt).toThrow(DiffractionError);
    expect(attempt).toThrow(
      expect.objectContaining({ code: 'bad-refinement', parameters: expect.objectContaining({ reason }) }),
    );
  });

  it('refuses a flat cell and elements without scattering factors', () => {
    const flat = { ...ZINCITE, latticeVectors: stretched(ZINCITE, [1, 1, 0]).latticeVectors };
    expect(() => refine({ ...good, phases: [{ label: 'flat', structure: flat }] })).toThrow(
      expect.objectContaining({ code: 'bad-structure' }),
    );
    const [first] = ZINCITE.sites;
    const heavy = { ...ZINCITE, sites: [{ ...first, species: [{ element: 'Og', occupancy: 1 }] }] };
    expect(() => refine({ ...good, phases: [{ label: 'heavy', structure: heavy }] })).toThrow(
      expect.objectContaining({ code: 'unknown-element' }),
    );
  });

  it('gives no e.s.d. of fractions that the pattern does not determine', () => {
    const { phases, notices } = refine({
      ...good,
      phases: [zincite, { ...zincite, label: 'again' }],
      options: {
        ...good.options,
        refine: { cell: false, profile: false, overallB: false, texture: 'none', axialDivergence: false },
      },
    });
    expect(notices).toContainEqual({
      code: 'undetermined',
      parameters: ['scale (zincite)', 'scale (again)'],
    });
    expect(phases.map(({ weightFraction }) => weightFraction?.esd)).toEqual([undefined, undefined]);
  });

  const random = seededRandom(11);
  const noise = Array.from({ length: points }, () => Math.round(100 + 20 * (random() - 0.5)));
  const notices: [string, string, Partial<RefinementRequest>][] = [
    ['a pattern of air', 'no-crystalline-signal', pattern((i) => noise[i])],
    ['a phase that is not there', 'phase-not-found', { phases: [zincite, fluorite] }],
    ['the same phase twice', 'phases-share-lines', { phases: [zincite, { ...zincite, label: 'again' }] }],
    ['negative intensities', 'negative-intensities', pattern((i) => intensities[i] - 100)],
    ['a saturated detector', 'saturated', pattern((i) => Math.min(5000, intensities[i]))],
    ['intensities scaled to 1', 'not-counts', pattern((i) => intensities[i] / 20_000)],
    [
      '200,000 points',
      'points-averaged',
      pattern(
        (i) => intensities[Math.floor((i * points) / 200_000)],
        (i) => 25 + (45 * i) / 200_000,
        200_000,
      ),
    ],
    ['counts of 1e12', 'amorphous-not-seen', pattern((i) => intensities[i] * 1e9)],
    [
      'a cell that is two per cent too large',
      'isotype-possible',
      { phases: [{ ...zincite, structure: stretched(ZINCITE, [1.02, 1.02, 1.02]) }] },
    ],
    [
      'a stored cell that is two per cent too large, started from the right one',
      'isotype-possible',
      { phases: [{ ...zincite, strain: -0.02 }] },
    ],
  ];
  it.each(notices)('refines %s with finite numbers and the notice %s', (_, code, change) => {
    const result = refine({ ...good, ...change });
    expect(result.notices.map((notice) => notice.code)).toContain(code);
    const numbers = JSON.stringify(result, (_key, value: unknown) =>
      typeof value === 'number' && !Number.isFinite(value) ? 'not finite' : value,
    );
    expect(numbers).not.toContain('not finite');
  });
});
