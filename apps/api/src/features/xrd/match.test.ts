import {
  type MatchResult,
  matchResult,
  type RestResult,
  referencePattern,
  restResult,
} from '@unitcell/contract/xrd';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { linesOf, measure } from './testing/synthetic-pattern.ts';

let test: TestApp;
let token: string;
const halite = rockSalt('Na', 'Cl', 5.64);
const cassiterite = rutile('Sn', 4.737, 3.186);
const materials = [
  halite,
  rockSalt('K', 'Cl', 6.29),
  rockSalt('Mg', 'O', 4.212),
  rockSalt('Li', 'F', 4.02),
  rutile('Ti', 4.594, 2.959),
  cassiterite,
  element('Po', 3.36),
];
let ids: number[];
let naCl: number;
let snO2: number;

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  ids = await storeMaterials(test.database, materials);
  const { rows } = await test.database.pool.query<{ struct_id: number; formula: string }>(
    'SELECT struct_id, formula FROM material',
  );
  naCl = rows.find(({ formula }) => formula === 'NaCl')!.struct_id;
  snO2 = rows.find(({ formula }) => formula === 'SnO2')!.struct_id;
});
afterAll(() => test.close());

const scan = measure(linesOf(halite));
const call = async <T>(name: string, body: object, language = 'en') =>
  (await test.post(`/api/xrd/${name}/`, body, { token, language })).json<T & { code?: string }>();
const match = (body: object = {}, language?: string) =>
  call<MatchResult>('xrd_match', { xrd_data: scan, ...body }, language);

describe('xrd_match', () => {
  it.each(['DTW', 'Euclidean'])('finds the material by %s, within the contract', async (match_way) => {
    const body = await match({ match_way });
    expect(matchResult.parse(body)).toEqual(body);
    expect(body.results[0]?.slice(1)).toEqual([naCl, 'NaCl', 'Fm-3m', 2, null]);
    expect(body.results.map(([distance]) => distance)).toEqual(
      body.results.map(([distance]) => distance).toSorted((a, b) => a - b),
    );
    expect(body.hits.map((hit) => hit.struct_id)).toEqual(body.results.map((row) => row[1]));
    expect(body).toMatchObject({
      confidence: 'confident',
      radiation: 'CuKα',
      wavelength: 1.54184,
      candidates: 7,
      functional: 'PBE (MP 2018)',
      release: { id: expect.any(Number), date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    });
    expect(body.hits[0]).toMatchObject({ explained_share: 1, unexplained_peaks: [] });
    expect(Math.abs(body.hits[0]!.strain)).toBeLessThan(0.004);
    expect(body.statement).toBe(
      `NaCl (Fm-3m, id ${naCl}) explains 100 % of the measured intensity, and nothing else that was compared fits as well.`,
    );
    expect(body.peaks.length).toBeGreaterThan(4);
    expect(body.crystal_size).toBeGreaterThan(20);
    expect(body.warnings).toEqual(['The background was removed before the comparison.']);
  });

  it('matches data without background unchanged', async () => {
    const removed = await call<{ x: number[] }>('xrd_remove_bg', { xrd_data: scan, isNormalize: true });
    const body = await match({ xrd_data: removed });
    expect(body.results[0]?.[1]).toBe(naCl);
    expect(body.warnings).toEqual([]);
  });

  it('finds a material with a 1.5 % larger cell only if strain is allowed, and states the strain', async () => {
    const xrd_data = measure(linesOf(rockSalt('Na', 'Cl', 5.64 * 1.015)));
    const allowed = await match({ xrd_data });
    expect(allowed.results[0]?.[1]).toBe(naCl);
    expect(allowed.hits[0]?.strain).toBeCloseTo(0.015, 2);
    const rigid = await match({ xrd_data, max_strain: 0 });
    expect(rigid.results[0]?.[0]).toBeGreaterThan(allowed.results[0]![0] + 0.2);
  });

  it.each([
    ['MoKa', 0.71073],
    ['CoKα', 1.79026],
    [0.6, 0.6],
    ['0.6', 0.6],
  ])('finds a pattern measured with the radiation %s', async (radiation, wavelength) => {
    const xrd_data = measure(linesOf(halite, wavelength), { wavelength, range: [5, 60] });
    const body = await match({ xrd_data, radiation });
    expect(body.results[0]?.[1]).toBe(naCl);
    expect(body).toMatchObject({ wavelength, confidence: 'confident' });
    expect((await match({ xrd_data })).confidence).not.toBe('confident');
  });

  it('compares neutron patterns with intensities from scattering lengths', async () => {
    // With X-rays (2 0 0) of LiF is stronger than (1 1 1); with neutrons it is not, because the scattering
    // length of Li is negative.
    const xrd_data = measure(linesOf(rockSalt('Li', 'F', 4.02), 1.594, 'neutron'), {
      wavelength: 1.594,
      range: [10, 89],
    });
    const neutrons = await match({ xrd_data, radiation: 'neutrons 1.594', elements: 'include: F *' });
    expect(matchResult.parse(neutrons)).toEqual(neutrons);
    expect(neutrons).toMatchObject({ radiation: 'neutrons 1.594', wavelength: 1.594, candidates: 1 });
    expect(neutrons.results[0]?.[2]).toBe('LiF');
    expect((await match({ xrd_data, radiation: 'neutrons 1.594' })).results[0]?.[2]).toBe('LiF');
    const xRays = await match({ xrd_data, radiation: 1.594, elements: 'include: F *' });
    expect(neutrons.results[0]![0]).toBeLessThan(xRays.results[0]![0] - 0.2);
    expect((await match({ radiation: 'neutrons' })).code).toBe('xrd.neutrons.wavelength');
    expect((await match({ radiation: 'neutrons 12' })).code).toBe('xrd.bad-wavelength');
  });

  it('finds only materials that pass the element filter', async () => {
    const formulas = async (elements: string) =>
      (await match({ elements })).results.map((row) => row[2]).sort();
    expect(await formulas('only: O Sn')).toEqual(['SnO2']);
    expect(await formulas('include: O *')).toEqual(['MgO', 'SnO2', 'TiO2']);
    expect(await formulas('cl-na')).toEqual(['NaCl']);
    const none = await match({ elements: 'only: Xe Au' });
    expect(none).toMatchObject({ error: 'false', results: [], hits: [], confidence: 'none', candidates: 0 });
    expect(none.statement).toMatch(/no material/);
  });

  it('states that nothing fits', async () => {
    const xrd_data = measure([
      { twoThetaDeg: 12.3, intensity: 100 },
      { twoThetaDeg: 17.9, intensity: 80 },
      { twoThetaDeg: 23.1, intensity: 90 },
    ]);
    const body = await match({ xrd_data });
    expect(body.confidence).toBe('none');
    expect(body.statement).toMatch(/^No match/);
    expect((await match({ xrd_data }, 'zh')).statement).toMatch(/^没有匹配/);
  });

  it('accepts a list of spacings and intensities in place of a pattern', async () => {
    // d = a/√m of rock salt with the intensities of its reference card, rounded.
    const lines = [
      [3, 13],
      [4, 100],
      [8, 55],
      [11, 2],
      [12, 15],
      [16, 6],
      [20, 11],
      [24, 7],
    ].map(([m = 1, intensity]) => [5.64 / Math.sqrt(m), intensity]);
    const body = await match({ xrd_data: undefined, lines });
    expect(body.results[0]?.[1]).toBe(naCl);
    expect(body.confidence).not.toBe('none');
    expect(body.warnings).toEqual([]);
    const molybdenum = await match({ xrd_data: undefined, lines, radiation: 'MoKa' });
    expect(molybdenum.results[0]?.[1]).toBe(naCl);
  });

  it('returns the requested number of rows', async () => {
    expect((await match({ top: 2 })).results.length).toBe(2);
    expect((await match({ crystal_size: 12.5 })).crystal_size).toBe(12.5);
  });

  it.each([
    ['a pattern together with a list', { lines: [[2.82, 100]] }, 'xrd.lines.either'],
    ['neither a pattern nor a list', { xrd_data: undefined }, 'xrd.lines.either'],
    [
      'lines that the radiation does not show',
      { xrd_data: undefined, lines: [[0.5, 1]] },
      'xrd.lines.unseen',
    ],
    ['a made-up element', { elements: 'only: Qq' }, 'xrd.filter.symbol'],
    ['an unknown keyword', { elements: 'maybe: Al' }, 'xrd.filter.keyword'],
    ['a star after only', { elements: 'only: Al *' }, 'xrd.filter.star'],
    ['a filter without elements', { elements: 'include: *' }, 'xrd.filter.no-element'],
    ['an endless filter', { elements: 'Al '.repeat(400) }, 'xrd.filter.too-long'],
    ['an unknown source', { radiation: 'UKa' }, 'xrd.unknown-source'],
    ['no source', { radiation: '' }, 'xrd.unknown-source'],
    ['a wavelength of zero', { radiation: 0 }, 'xrd.bad-wavelength'],
    ['an infinite wavelength', { radiation: 'Infinity' }, 'xrd.bad-wavelength'],
    ['a crystallite of nothing', { crystal_size: 0 }, 'xrd.bad-size'],
    ['falling angles', { xrd_data: { x: scan.x.toReversed(), y: scan.y } }, 'xrd.data.order'],
    ['angles beyond the index', { xrd_data: { x: scan.x.map((x) => x + 100), y: scan.y } }, 'xrd.no-signal'],
  ])('refuses %s with a message', async (_name, body, code) => {
    for (const language of ['en', 'zh']) {
      const answer = await match(body, language);
      expect([answer.error, answer.code]).toEqual(['true', code]);
      expect(answer.message).not.toMatch(/\{\{/);
    }
  });

  it('returns 400 for requests outside the contract', async () => {
    for (const bad of [
      { match_way: 'both' },
      { top: 0 },
      { top: 1000 },
      { max_strain: 1 },
      { match_id: 'x' },
    ]) {
      const answer = await test.post('/api/xrd/xrd_match/', { xrd_data: scan, ...bad }, { token });
      expect(answer.statusCode).toBe(400);
    }
  });
});

describe('xrd_explain', () => {
  const both = {
    x: scan.x,
    y: measure(linesOf(cassiterite), { counts: 900, seed: 3 }).y.map((y, i) => y + scan.y[i]!),
  };
  const explain = (body: object) => call<RestResult>('xrd_explain', { xrd_data: both, ...body });

  it('removes the first phase and finds the second', async () => {
    const first = await match({ xrd_data: both });
    expect(first.results[0]?.[1]).toBe(naCl);
    const body = await explain({ phases: [{ struct_id: naCl, strain: first.hits[0]?.strain }] });
    expect(restResult.parse(body)).toEqual(body);
    expect(body.results[0]?.[1]).toBe(snO2);
    expect(body.results.map((row) => row[1])).not.toContain(naCl);
    // The explained share of a hit and that of a removed phase have the same definition.
    expect(body.explained_share).toBe(first.hits[0]?.explained_share);
    expect(body.explained_share).toBeGreaterThan(0.3);
    expect(body.explained_share).toBeLessThan(0.9);
    expect(body.rest.x).toEqual(both.x);
    expect(body.rest.background_removed).toBe(true);
  });

  it('states that no intensity is left', async () => {
    const body = await explain({ phases: [{ struct_id: naCl }, { struct_id: String(snO2) }] });
    expect(body).toMatchObject({ results: [], confidence: 'none' });
    expect(body.statement).toMatch(/Nothing is left/);
    expect(body.explained_share).toBe(1);
  });

  it('refuses a phase that does not exist', async () => {
    expect((await explain({ phases: [{ struct_id: 999_999 }] })).code).toBe('xrd.no-pattern');
  });
});

describe('xrd_get', () => {
  const get = (body: object) => test.post('/api/xrd/xrd_get/', body, { token });

  it('draws the pattern of a row with its radiation, size and strain', async () => {
    const answer = await get({ struct_id: naCl, crystal_size: 40, radiation: 'Cu Ka', strain: 0.01 });
    const body = referencePattern.parse(answer.json());
    expect(answer.json()).toEqual(body);
    expect(body).toMatchObject({ formula: 'NaCl', radiation: 'CuKα', crystal_size: 40, strain: 0.01 });
    // d = 5.64 · 1.01 / 2 for the strongest line.
    const strongest = body.data[0]!.y.indexOf(100);
    expect(body.data[0]!.x[strongest]).toBeCloseTo((360 / Math.PI) * Math.asin(1.54184 / (5.64 * 1.01)), 3);
    expect(body.data[0]!.text[strongest]).toMatch(/^\(2 0 0\) ×6/);
    expect(Math.max(...body.y)).toBe(100);
    expect(body.x.at(-1)).toBe(90);
  });

  it('refuses patterns that cannot be drawn', async () => {
    expect((await get({ struct_id: 999_999 })).statusCode).toBe(404);
    expect((await get({ struct_id: naCl, crystal_size: -1 })).json()).toMatchObject({ code: 'xrd.bad-size' });
    expect((await get({ struct_id: naCl, radiation: 'x' })).json()).toMatchObject({
      code: 'xrd.unknown-source',
    });
  });
});

describe('the index', () => {
  it('is updated when materials are added or removed', async () => {
    const fresh = rockSalt('Cs', 'Br', 7.23);
    const elements = 'only: Cs Br';
    const xrd_data = measure(linesOf(fresh));
    const formulas = async () => (await match({ xrd_data, elements })).results.map((row) => row[2]);
    expect(await formulas()).toEqual([]);
    const [id] = await storeMaterials(test.database, [fresh]);
    await expect.poll(formulas).toEqual(['CsBr']);
    await test.database.pool.query('DELETE FROM material WHERE struct_id = $1', [id]);
    expect(await formulas()).toEqual([]);
    await test.database.pool.query("SELECT pg_notify('catalogue_changed', '')");
    const counted = async () => (await match()).candidates;
    await expect.poll(counted).toBe(ids.length);
  });
});
