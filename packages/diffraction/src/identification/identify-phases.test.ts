import { readFileSync } from 'node:fs';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { groupMeans } from '../background.ts';
import { DiffractionError } from '../diffraction-error.ts';
import { readMeasuredPattern } from '../read-measured-pattern.ts';
import { catalogueOf } from '../testing/catalogue.ts';
import { identifyIn, randomMixture } from '../testing/identify-in-catalogue.ts';
import { simulatedScan, stretched } from '../testing/simulated-scan.ts';
import { decisiveSignificance, FOUND, isFound } from './evidence.ts';
import { NO_PHASES } from './fitted-mixture.ts';
import { identifyPhases, proposePhases } from './identify-phases.ts';
import { reviewMixture } from './review-mixture.ts';
import { weighCandidates } from './weigh-candidates.ts';
import { absentShare } from '../refinement/line-intensities.ts';
import { MAX_REFINED_POINTS } from '../refinement/types.ts';

const seed = catalogueOf(
  readFileSync(new URL('../../../../seed-data/generated/materials.jsonl', import.meta.url), 'utf8'),
);

/** Ids of materials in the seed data. */
const [QUARTZ, CORUNDUM, THULIUM, LAB6, UO3, PERICLASE] = [138, 137, 81, 613, 1521, 133] as const;
const [HALITE, SILVER, GOLD, BIFEO3] = [486, 35, 36, 452] as const;
/** Tb, Dy, Ho, Er, Tm and Lu: hexagonal close-packed, with edges that differ by up to 1 % from one to the next. */
const LANTHANIDES = [77, 78, 79, 80, THULIUM, 83];

const structureOf = (id: number) => {
  const found = seed.materials.find((material) => material.id === id);
  if (!found) throw new Error(`the seed has no material ${id}`);
  return found.structure;
};

/** 70 % of quartz and 30 % of corundum by weight, with cells 0.8 % smaller and 0.5 % larger than the stored ones. */
const mixture = simulatedScan({
  phases: [
    { label: 'quartz', structure: stretched(structureOf(QUARTZ), [0.992, 0.992, 0.992]) },
    { label: 'corundum', structure: stretched(structureOf(CORUNDUM), [1.005, 1.005, 1.005]) },
  ],
  fractions: [0.7, 0.3],
  values: { displacement: 0.06, 'axial divergence': 0.04 },
  march: 0.85,
  range: [15, 85],
  stepDeg: 0.03,
  seed: 11,
});

describe('identifyPhases', () => {
  it('finds exactly the two phases of a noisy, textured and displaced mixture, and their fractions', async () => {
    const { phases, refined, explained } = await identifyIn(seed, mixture);
    expect(phases.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([CORUNDUM, QUARTZ]);
    expect(explained).toBeGreaterThan(0.95);
    phases.forEach(({ id }, p) => {
      const fraction = refined?.phases[p].weightFraction?.value ?? 0;
      expect(Math.abs(fraction - (id === QUARTZ ? 0.7 : 0.3))).toBeLessThan(0.01);
    });
  });

  it('chooses the right one of several isotypes once all phases are known', async () => {
    const { request, ids } = randomMixture(seed, 147);
    const { phases } = await identifyIn(seed, request);
    expect(phases.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  });

  // Co₂MnSi is right. At first, other compounds with atoms on the sites of a body-centred cubic crystal fit
  // about as well.
  it('chooses the right one of seven similar structures with different formulas once all phases are known', async () => {
    const { request, ids } = randomMixture(seed, 82);
    const known = new Set([...ids, 25, 1010, 1014, 1018, 1039, 1206]);
    const { phases } = await identifyIn(seed, request, ({ id }) => known.has(id));
    expect(phases.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  });

  it('finds a textured phase of low symmetry, which has hundreds of lines', async () => {
    const { request, ids } = randomMixture(seed, 162);
    const { phases } = await identifyIn(seed, request, ({ id }) => ids.includes(id));
    expect(phases.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  });

  it('finds a phase whose strongest lines lie beside those of a known phase', async () => {
    const { request, ids } = randomMixture(seed, 41);
    const { phases } = await identifyIn(seed, request, ({ id }) => ids.includes(id));
    expect(phases.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  });

  it('finds no phase in the pattern of a material that the catalogue does not contain', async () => {
    const request = simulatedScan({
      phases: [{ label: 'corundum', structure: structureOf(CORUNDUM) }],
      fractions: [1],
      range: [15, 85],
      stepDeg: 0.03,
      seed: 12,
    });
    const { phases, refined } = await identifyIn(seed, request, ({ system }) => system !== 'Al-O');
    expect([phases, refined]).toEqual([[], undefined]);
  });

  it.each([1, 2])(
    'prefers the isotype with the nearest cell if noise hides the differences in intensity (noise %i)',
    async (noise) => {
      const measured = stretched(structureOf(THULIUM), [1.002, 1.002, 1.002]);
      const request = simulatedScan({
        phases: [{ label: 'thulium', structure: measured }],
        fractions: [1],
        range: [25, 85],
        stepDeg: 0.04,
        counts: 400,
        seed: noise,
      });
      const { phases } = await identifyIn(seed, request, ({ id }) => LANTHANIDES.includes(id));
      expect(phases.map(({ id }) => id)).toEqual([THULIUM]);
    },
  );

  it('names isotypes as alternatives only if the pattern does not exclude them', async () => {
    const { x, y } = readMeasuredPattern(readFileSync(new URL('../fixtures/halite.txt', import.meta.url)));
    const request = { ...mixture, pattern: { twoThetaDeg: Array.from(x), intensities: Array.from(y) } };
    const isotypes = ['NaCl', 'CaS', 'AgBr'];
    const { phases } = await identifyIn(seed, request, ({ formula }) => isotypes.includes(formula));
    expect(phases.map(({ id, alternatives }) => [id, alternatives])).toEqual([[HALITE, []]]);
    // The intensities of a crystal of one element do not depend on the element.
    const metal = simulatedScan({
      phases: [{ label: 'silver', structure: structureOf(SILVER) }],
      fractions: [1],
      range: [30, 90],
      stepDeg: 0.03,
      seed: 4,
    });
    const found = await identifyIn(seed, metal, ({ id }) => id === SILVER || id === GOLD);
    expect(found.phases.map(({ id, alternatives }) => [id, alternatives])).toEqual([[SILVER, [GOLD]]]);
  });

  it.each([2, 3, 4, 5])(
    'does not add a phase with the lines of a known phase, although it fits the misfit of the known phase (noise %i)',
    async (noise) => {
      // A quarter of the LaB6 has edges that are 0.3 % longer. Cubic UO3 has the lines of LaB6.
      const lab6 = structureOf(LAB6);
      const request = simulatedScan({
        phases: [
          { label: 'LaB6', structure: lab6 },
          { label: 'LaB6 with another cell', structure: stretched(lab6, [1.003, 1.003, 1.003]) },
        ],
        fractions: [0.75, 0.25],
        range: [25, 85],
        stepDeg: 0.03,
        seed: noise,
      });
      const { phases } = await identifyIn(seed, request, ({ id }) => id === LAB6 || id === UO3);
      expect(phases.map(({ id }) => id)).toEqual([LAB6]);
    },
  );

  it('does not mistake humps 3° wide beside sharp lines for the lines of a further phase', async () => {
    const scan = (id: number, values: Record<string, number>, counts: number) =>
      simulatedScan({
        phases: [{ label: String(id), structure: structureOf(id) }],
        fractions: [1],
        values,
        range: [15, 85],
        stepDeg: 0.04,
        counts,
        seed: id,
      });
    const sharp = scan(QUARTZ, {}, 20_000);
    const humps = scan(PERICLASE, { X: 3 }, 200).pattern.intensities;
    const { twoThetaDeg, intensities } = sharp.pattern;
    const pattern = { twoThetaDeg, intensities: Array.from(intensities, (count, i) => count + humps[i]) };
    const request = { ...sharp, pattern };
    const { phases } = await identifyIn(seed, request, ({ id }) => id === QUARTZ || id === PERICLASE);
    expect(phases.map(({ id }) => id)).toEqual([QUARTZ]);
  });

  // Widths and B of these phases are correlated with their scales: the significance of true phases is below 10.
  it.skipIf(!hasSharedData)(
    'finds quartz, corundum and K-feldspar in a measured mixture with clays',
    async () => {
      const { x, y } = readMeasuredPattern(readFileSync(sharedPath('datasets', 'rietveld', 'clay-mix5.xy')));
      const pattern = { twoThetaDeg: Array.from(x), intensities: Array.from(y) };
      const MINERALS = ['SiO2', 'Al2O3', 'KAlSi3O8'];
      const { phases } = await identifyIn(seed, { ...mixture, pattern }, ({ formula }) =>
        MINERALS.includes(formula),
      );
      const formulas = phases.map(({ id }) => seed.materials.find((one) => one.id === id)?.formula);
      expect([formulas.length, new Set(formulas)]).toEqual([3, new Set(MINERALS)]);
    },
  );

  // The pattern ends 1.5° before a line. Its tail alone once counted as a third of the missing intensity.
  it.skipIf(!hasSharedData)('finds BiFeO3 in a measured pattern, averaged over three points', async () => {
    const { x, y } = readMeasuredPattern(readFileSync(sharedPath('datasets', 'xrd-exp', 'dara_bifeo3.txt')));
    const pattern = {
      twoThetaDeg: Array.from(groupMeans(x, 3)),
      intensities: Array.from(groupMeans(y, 3)),
    };
    const request = { ...mixture, pattern, options: { method: 'rietveld', refine: 'automatic' } } as const;
    const { phases } = await identifyIn(seed, request, ({ id }) => id === BIFEO3);
    expect(phases.map(({ id }) => id)).toEqual([BIFEO3]);
  });

  it('refuses a pattern that consists of noise only', async () => {
    const twoThetaDeg = Array.from({ length: 3000 }, (_, i) => 15 + 0.02 * i);
    const intensities = twoThetaDeg.map((angle) => 100 + Math.round(10 * Math.sin(1000 * angle)));
    await expect(identifyIn(seed, { ...mixture, pattern: { twoThetaDeg, intensities } })).rejects.toThrow(
      DiffractionError,
    );
  });
});

it('a review keeps all of eight alternatives with nearly the same pattern', () => {
  const metal = simulatedScan({
    phases: [{ label: 'silver', structure: structureOf(SILVER) }],
    fractions: [1],
    range: [30, 90],
    stepDeg: 0.03,
    seed: 4,
  });
  const [first, ...others] = Array.from({ length: 9 }, (_, id) => {
    const edge = 1 + 1e-4 * id;
    const phase = { label: `${id}`, structure: stretched(structureOf(SILVER), [edge, edge, edge]) };
    return { id, phase, strain: 0, prototype: 'fcc' };
  });
  const { mixture: fitted, found } = weighCandidates(metal, NO_PHASES, [first]);
  const alternatives = others.map(({ id }) => ({ id, strain: 0 }));
  const { phases } = reviewMixture(metal, fitted, [{ ...found!, alternatives }], [first, ...others]);
  const ids = phases.flatMap((phase) => [phase.id, ...phase.alternatives.map(({ id }) => id)]);
  expect(new Set(ids)).toEqual(new Set([first, ...others].map(({ id }) => id)));
});

it.each([
  [false, true, 1],
  [true, true, 2],
  [false, false, 2],
])(
  'a second attempt with humps (heights: %s; humps are required: %s) takes %i rounds',
  async (hasHumps, onlyWithHumps, rounds) => {
    const known: number[][] = [];
    const phase = { label: 'quartz', structure: structureOf(QUARTZ) };
    await identifyPhases(
      {
        propose: async (_, ids) => {
          known.push([...ids]);
          return [{ id: QUARTZ, phase, strain: 0, prototype: '' }];
        },
        weigh: async (fitted) => ({
          found: { id: QUARTZ, alternatives: [], similar: [] },
          mixture: fitted,
          rest: new Float64Array(),
          hasHumps,
        }),
        review: async (fitted) => ({ mixture: fitted, phases: [], explained: 0 }),
      },
      2,
      onlyWithHumps,
    );
    expect(known.length).toBe(rounds);
  },
);

describe('proposePhases', () => {
  it('proposes both phases of a mixture from the whole pattern', () => {
    const { proposals } = proposePhases(seed.index, { ...mixture.pattern, wavelength: 1.54184, known: [] });
    const ids = proposals.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([QUARTZ, CORUNDUM]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('proposes a further phase with its own cell, although the sample is displaced', () => {
    const edge = 1.005;
    const displaced = simulatedScan({
      phases: [
        { label: 'quartz', structure: structureOf(QUARTZ) },
        { label: 'periclase', structure: stretched(structureOf(PERICLASE), [edge, edge, edge]) },
      ],
      fractions: [0.6, 0.4],
      values: { displacement: 0.4 },
      range: [15, 85],
      stepDeg: 0.03,
      seed: 13,
    });
    const quartz = { label: 'quartz', structure: structureOf(QUARTZ) };
    const { rest } = weighCandidates(displaced, NO_PHASES, [
      { id: QUARTZ, phase: quartz, strain: 0, prototype: '' },
    ]);
    const candidates = [seed.materials.findIndex(({ id }) => id === PERICLASE)];
    const asked = { ...displaced.pattern, wavelength: 1.54184, known: [QUARTZ], candidates };
    const [{ strain }] = proposePhases(seed.index, { ...asked, rest }).proposals;
    // The search tries strains in steps of 0.4 %.
    expect(Math.abs(strain - (edge - 1))).toBeLessThan(0.003);
  });

  it('proposes a further phase from a pattern with more points than a refinement takes', () => {
    const { twoThetaDeg, intensities } = mixture.pattern;
    // Each point of the mixture thirty times, at angles 0.001° apart.
    const parts = Array.from({ length: 30 }, (_, part) => 0.001 * part);
    const pattern = {
      twoThetaDeg: Array.from(twoThetaDeg).flatMap((angle) => parts.map((part) => angle + part)),
      intensities: Array.from(intensities).flatMap((intensity) => parts.map(() => intensity)),
    };
    expect(pattern.twoThetaDeg.length).toBeGreaterThan(MAX_REFINED_POINTS);
    const quartz = { label: 'quartz', structure: stretched(structureOf(QUARTZ), [0.992, 0.992, 0.992]) };
    const { rest } = weighCandidates({ ...mixture, pattern }, NO_PHASES, [
      { id: QUARTZ, phase: quartz, strain: -0.008, prototype: '' },
    ]);
    const asked = { ...pattern, wavelength: 1.54184, known: [QUARTZ], rest };
    expect(proposePhases(seed.index, asked).proposals[0]?.id).toBe(CORUNDUM);
  });

  it.each([
    ['the range ends before most of its lines', [[50, 85]]],
    [
      'regions with its strongest lines are excluded',
      [
        [34, 36],
        [42, 45],
        [51, 54],
        [56, 59],
      ],
    ],
  ] as const)('proposes a further phase first if %s', (_, excluded) => {
    const quartz = { label: 'quartz', structure: stretched(structureOf(QUARTZ), [0.992, 0.992, 0.992]) };
    const { rest } = weighCandidates({ ...mixture, excluded }, NO_PHASES, [
      { id: QUARTZ, phase: quartz, strain: -0.008, prototype: '' },
    ]);
    const asked = { ...mixture.pattern, wavelength: 1.54184, known: [QUARTZ], rest, excluded };
    expect(proposePhases(seed.index, asked).proposals[0]?.id).toBe(CORUNDUM);
  });

  it('does not propose known phases, and proposes nothing if the known phases leave no signal', () => {
    const asked = { ...mixture.pattern, wavelength: 1.54184, known: [QUARTZ] };
    expect(proposePhases(seed.index, asked).proposals.map(({ id }) => id)).not.toContain(QUARTZ);
    const rest = new Float64Array(mixture.pattern.twoThetaDeg.length);
    expect(proposePhases(seed.index, { ...asked, rest }).proposals).toEqual([]);
  });
});

it.each([
  ['above all limits', FOUND.significance, 0.66, 1e6, 0.1, 0.1, true],
  ['weak', FOUND.significance - 0.1, 1, 1e6, 0.1, 1, false],
  ['without a third of its lines', 100, 0.64, 1e6, 0.1, 1, false],
  ['with two lines and a fifth of them missing', 100, 0.8, 2, 0.1, 1, false],
  ['with two complete lines', 100, 0.9, 2, 0.1, 1, true],
  ['with lines in the right places and intensities of another one', 100, 0.9, 1e6, 0.6, 1, false],
  ['whose lines all lie under those of another phase', 100, 1, 1e6, 0, 0.05, false],
])('isFound decides correctly about a phase %s', (_, significance, confirmed, lines, absent, own, found) => {
  const evidence = { significance, shaped: significance, confirmed, lines, absent, share: 0.5, own };
  expect(isFound(evidence, FOUND)).toBe(found);
});

it('a minor phase is found even if its lines under lines of other phases seem absent', () => {
  const evidence = {
    significance: 14,
    shaped: 14,
    confirmed: 0.77,
    lines: 7,
    absent: 0.9,
    share: 0.02,
    own: 0.3,
  };
  expect(isFound(evidence, FOUND)).toBe(true);
});

it.each([
  ['beside others is two thirds of that with fixed widths', 5, 2, 14],
  ['beside others with fewer than four lines is that with free widths', 3, 2, 7],
  ['alone is that with free widths', 5, 1, 7],
])('the decisive significance of a phase %s', (_, lines, phases, expected) => {
  const evidence = { significance: 7, shaped: 21, confirmed: 1, lines, absent: 0, share: 0.5, own: 1 };
  expect(decisiveSignificance(evidence, phases)).toBe(expected);
});

it('the absent share is 6 of 20 for calculated lines of 10 and 10 and measured lines of 4 and 30', () => {
  const sums = { calculated: Float64Array.of(10, 10), observed: Float64Array.of(4, 30) };
  expect(absentShare(sums)).toBeCloseTo(0.3, 12);
});
