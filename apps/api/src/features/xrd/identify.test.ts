import { type IdentifyResult, identifyResult } from '@unitcell/contract/xrd';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulatedMixture } from '../../../../../packages/diffraction/src/testing/simulated-mixture.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { structureOf } from './testing/synthetic-pattern.ts';

let test: TestApp;
let token: string;
let naCl: number;
let snO2: number;
const halite = rockSalt('Na', 'Cl', 5.69);
const cassiterite = rutile('Sn', 4.79, 3.22);

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  [naCl = 0, snO2 = 0] = await storeMaterials(test.database, [
    halite,
    cassiterite,
    rockSalt('K', 'Cl', 6.29),
    rockSalt('Mg', 'O', 4.212),
    rutile('Ti', 4.594, 2.959),
    element('Po', 3.36),
  ]);
});
afterAll(() => test.close());

/** 70 % of halite and 30 % of cassiterite by weight, with cells about 1 % smaller than the stored ones. */
const mixture = simulatedMixture(
  [
    { structure: structureOf(halite), share: 0.7, strain: -0.009 },
    { structure: structureOf(cassiterite), share: 0.3, strain: -0.011 },
  ],
  { seed: 5, displacementDeg: 0.05, twoThetaRangeDeg: [20, 90], stepDeg: 0.04 },
);

const identify = async (body: object = {}, language = 'en') =>
  (await test.post('/api/xrd/identify/', { xrd_data: mixture, ...body }, { token, language })).json<
    IdentifyResult & { code?: string }
  >();

describe('the identification of a mixture', () => {
  let body: IdentifyResult;
  beforeAll(async () => {
    body = await identify();
  });

  it('returns an answer within the contract', () => {
    expect(identifyResult.parse(body)).toEqual(body);
    expect(body.candidates).toBe(6);
  });

  it('finds both phases and no third phase, and names them in its statement', () => {
    expect(body.phases.map(({ struct_id }) => struct_id).toSorted((a, b) => a - b)).toEqual(
      [naCl, snO2].toSorted((a, b) => a - b),
    );
    // The stored cells are 1 % off, as calculated cells are.
    expect(body.verdict).toBe('partly');
    expect(body.phases.map(({ doubt }) => doubt)).toEqual([
      expect.stringMatching(/^Elements not certain: the cell differs by /),
      expect.stringMatching(/^Elements not certain: the cell differs by /),
    ]);
    expect(body.statement).toMatch(/^Found: .*NaCl \(Fm-3m\)/);
  });

  it('gives the weight fractions of both phases within 1 %', () => {
    const shareOf = (id: number): number =>
      body.refinement?.phases.find(({ struct_id }) => struct_id === id)?.weight_fraction?.value ?? 0;
    expect(Math.abs(shareOf(naCl) - 0.7)).toBeLessThan(0.01);
    expect(shareOf(naCl) + shareOf(snO2)).toBeCloseTo(1, 6);
  });
});

it('an identification among named elements finds only phases of these elements', async () => {
  const { phases, verdict, candidates } = await identify({ elements: 'only: Na Cl' });
  expect(phases.map(({ doubt }) => doubt)).toEqual([null]);
  expect([phases.map(({ struct_id }) => struct_id), verdict, candidates]).toEqual([[naCl], 'partly', 1]);
});

it('naming the elements of a mixture leaves the elements of a phase in doubt if its cell differs', async () => {
  const { phases, candidates } = await identify({ elements: 'Na Cl Sn O' });
  expect([new Set(phases.map(({ struct_id }) => struct_id)), candidates]).toEqual([new Set([naCl, snO2]), 2]);
  expect(phases.map(({ doubt }) => doubt)).toEqual([
    expect.stringMatching(/^Elements not certain: the cell differs by /),
    expect.stringMatching(/^Elements not certain: the cell differs by /),
  ]);
});

it('if other elements are allowed, every phase found contains the named elements', async () => {
  const { phases, candidates } = await identify({ elements: 'include: Cl *' });
  expect([phases.map(({ struct_id }) => struct_id), candidates]).toEqual([[naCl], 2]);
});

it('elements that no material has are named as the reason why there is no match', async () => {
  for (const [language, statement] of [
    ['en', /none was compared\. Name all elements of the sample/],
    ['zh', /未作比较。请填写样品的全部元素/],
  ] as const) {
    const body = await identify({ elements: 'Cs' }, language);
    expect(body).toMatchObject({ verdict: 'none', phases: [], candidates: 0 });
    expect(body.statement).toMatch(statement);
  }
});

it('a crystal in a glass is found, and the answer says that the amorphous part is not in the fractions', async () => {
  const highest = Math.max(...mixture.y);
  // Humps like those of silica glass.
  const hump = (angle: number, centre: number): number =>
    Math.exp(-4 * Math.LN2 * ((angle - centre) / 8) ** 2);
  const glass = mixture.x.map((angle) => highest * (0.6 * hump(angle, 24) + 0.2 * hump(angle, 46)));
  const xrd_data = { x: mixture.x, y: mixture.y.map((count, i) => Math.round(count + glass[i]!)) };
  const { phases, statement } = await identify({ xrd_data });
  expect(phases.map(({ struct_id }) => struct_id)).toContain(naCl);
  expect(statement).toContain('amorphous part');
});

it('a phase that fits only with another cell is not called identified, in both languages', async () => {
  const xrd_data = simulatedMixture([{ structure: structureOf(halite), share: 1, strain: 0.022 }], {
    seed: 6,
    twoThetaRangeDeg: [20, 90],
    stepDeg: 0.04,
  });
  for (const [language, doubt, statement] of [
    [
      'en',
      /^Elements not certain: the cell differs by 2\.2 %/,
      /does not prove the elements of NaCl \(Fm-3m\)/,
    ],
    ['zh', /^元素不确定：晶胞与库中的相差 2\.2 %/, /图谱不能证实 NaCl \(Fm-3m\) 的元素/],
  ] as const) {
    const body = await identify({ xrd_data }, language);
    expect(body.phases.map(({ struct_id }) => struct_id)).toEqual([naCl]);
    expect(body.verdict).toBe('partly');
    expect(body.phases[0]?.doubt).toMatch(doubt);
    expect(body.statement).toMatch(statement);
  }
});

it('a pattern of a phase that is not stored has no match, in both languages', async () => {
  const caesium = rockSalt('Cs', 'I', 7.1);
  const xrd_data = simulatedMixture([{ structure: structureOf(caesium), share: 1 }], {
    seed: 9,
    twoThetaRangeDeg: [20, 90],
    stepDeg: 0.04,
  });
  for (const [language, statement] of [
    ['en', /^No match/],
    ['zh', /^没有匹配/],
  ] as const) {
    const body = await identify({ xrd_data }, language);
    expect(body).toMatchObject({ verdict: 'none', phases: [], refinement: null });
    expect(body.statement).toMatch(statement);
  }
});

it.each([
  [
    'a pattern without its background',
    { xrd_data: { ...mixture, background_removed: true } },
    'xrd.refine.background-removed',
  ],
  ['a range upside down', { range: [80, 20] }, 'xrd.refine.range'],
  ['an element that does not exist', { elements: 'only: Xx' }, 'xrd.filter.symbol'],
  ['an unknown source', { radiation: 'UKa' }, 'xrd.unknown-source'],
])('%s is refused', async (_, body, code) => {
  const answer = await identify(body);
  expect([answer.error, answer.code]).toEqual(['true', code]);
});
