import { type RefineResult, refineResult } from '@unitcell/contract/xrd';
import { writeCif } from '@unitcell/crystal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulatedMixture } from '../../../../../packages/diffraction/src/testing/simulated-mixture.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { linesOf, measure, structureOf } from './testing/synthetic-pattern.ts';

let test: TestApp;
let token: string;
let naCl: number;
let snO2: number;
const halite = rockSalt('Na', 'Cl', 5.69);
const cassiterite = rutile('Sn', 4.79, 3.22);

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  [naCl = 0, snO2 = 0] = await storeMaterials(test.database, [halite, cassiterite]);
});
afterAll(() => test.close());

/** 70 % of halite and 30 % of cassiterite by weight, with cells about 1 % smaller than the stored ones. */
const mixture = simulatedMixture(
  [
    { structure: structureOf(halite), share: 0.7, strain: -0.009 },
    { structure: structureOf(cassiterite), share: 0.3, strain: -0.011 },
  ],
  { seed: 5, displacementDeg: 0.05 },
);

const refine = async (body: object = {}, language = 'en') =>
  (
    await test.post(
      '/api/xrd/refine/',
      { xrd_data: mixture, phases: [{ struct_id: naCl }, { struct_id: snO2 }], ...body },
      { token, language },
    )
  ).json<RefineResult & { code?: string }>();

describe('the refinement of a mixture', () => {
  let body: RefineResult;
  beforeAll(async () => {
    body = await refine();
  });

  it('returns an answer within the contract', () => {
    expect(refineResult.parse(body)).toEqual(body);
    expect(body.two_theta.length).toBe(mixture.x.length);
    expect(body.wavelengths).toEqual([
      { wavelength: 1.54056, weight: 1 },
      { wavelength: 1.54439, weight: 0.5 },
    ]);
  });

  it('gives the weight fractions within 1 % and the cells within 5e-5 of the simulated values', () => {
    const [salt, oxide] = body.phases;
    expect([salt?.struct_id, oxide?.struct_id]).toEqual([naCl, snO2]);
    expect([salt?.space_group, oxide?.space_group]).toEqual(['Fm-3m', 'P4_2/mnm']);
    expect(Math.abs((salt?.weight_fraction?.value ?? 0) - 0.7)).toBeLessThan(0.01);
    const sum = body.phases.reduce((total, { weight_fraction }) => total + (weight_fraction?.value ?? 0), 0);
    expect(sum).toBeCloseTo(1, 6);
    for (const [found, wanted] of [
      [salt?.cell.a, 5.69 * 0.991],
      [oxide?.cell.a, 4.79 * 0.989],
      [oxide?.cell.c, 3.22 * 0.989],
    ] as const)
      expect(Math.abs((found?.value ?? 0) / wanted - 1)).toBeLessThan(5e-5);
    expect(salt?.cell.a.start).toBeCloseTo(5.69, 6);
    expect(salt?.cell.a.esd).toBeGreaterThan(0);
    expect(salt?.cell.alpha).toMatchObject({ value: 90, esd: null });
    expect(body.displacement?.value).toBeCloseTo(0.05, 2);
  });

  it('gives limits of size and strain, because the instrument is not calibrated', () => {
    expect(body.notices.map(({ code }) => code)).toContain('size-uncalibrated');
    for (const { size, broadening } of body.phases) {
      expect(broadening).toMatchObject({
        status: 'uncalibrated',
        size: null,
        strain: null,
        scherrer_constant: 1,
      });
      expect(size).toBeNull();
      expect(broadening.size_at_least).toBeGreaterThan(20);
      expect(broadening.lines.length).toBeGreaterThan(4);
    }
  });

  it('rates the fit as good and states that fractions exclude amorphous parts', () => {
    expect(body).toMatchObject({ verdict: 'good', converged: true });
    expect(body.statement).toMatch(/^The model describes the pattern: Rwp is/);
    expect(body.notices.map(({ code }) => code)).toContain('amorphous-not-seen');
  });

  it('lists the reflections of each phase by rising angle', () => {
    for (const { two_theta, d, hkl, intensity } of body.phases) {
      expect(new Set([two_theta.length, d.length, hkl.length, intensity.length]).size).toBe(1);
      expect(two_theta).toEqual(two_theta.toSorted((a, b) => a - b));
    }
    expect(body.phases[0]?.hkl).toContain('2 0 0');
  });
});

it('a refinement gives the same weight fraction for a phase from a CIF as for the stored material', async () => {
  const cif = writeCif(structureOf(cassiterite));
  const { phases } = await refine({ phases: [{ struct_id: naCl }, { cif, name: 'cassiterite' }] });
  expect(phases[1]).toMatchObject({ name: 'cassiterite', struct_id: null, formula: 'SnO2' });
  expect(Math.abs((phases[1]?.weight_fraction?.value ?? 0) - 0.3)).toBeLessThan(0.01);
});

it('a refinement ignores points outside the range and in excluded regions, and lists these points', async () => {
  const body = await refine({ range: [20, 80], excluded: [[40, 42]] });
  expect(body.excluded.map(([from]) => from)).toEqual([15, 40, 80.02]);
  expect(body.points).toBeLessThan(mixture.x.length);
});

it('a refinement gives cells but no weight fractions in a Le Bail fit', async () => {
  const { method, phases } = await refine({ method: 'le-bail' });
  expect(method).toBe('le-bail');
  expect(phases.map(({ weight_fraction }) => weight_fraction)).toEqual([null, null]);
  expect(Math.abs((phases[0]?.cell.a.value ?? 0) / (5.69 * 0.991) - 1)).toBeLessThan(2e-4);
});

it('a refinement uses scattering lengths for neutrons, and refines the zero shift instead of the sample displacement', async () => {
  const xrd_data = measure(linesOf(rockSalt('Na', 'Cl', 5.64), 1.594, 'neutron'), {
    wavelength: 1.594,
    range: [20, 89],
  });
  const phases = [{ struct_id: naCl }];
  const neutrons = await refine({ xrd_data, phases, radiation: 'neutrons 1.594' });
  expect(refineResult.parse(neutrons)).toEqual(neutrons);
  expect(neutrons.wavelengths).toEqual([{ wavelength: 1.594, weight: 1 }]);
  expect(neutrons.displacement).toBeNull();
  expect(neutrons.zero).not.toBeNull();
  expect(Math.abs((neutrons.phases[0]?.cell.a.value ?? 0) / 5.64 - 1)).toBeLessThan(2e-4);
  expect(neutrons.phases[0]?.r_bragg).toBeLessThan(0.1);
  const xRays = await refine({ xrd_data, phases, radiation: 1.594 });
  expect(xRays.phases[0]?.r_bragg).toBeGreaterThan(0.2);
});

it('a refinement rates the fit as poor if a given phase is not in the sample', async () => {
  const body = await refine({ phases: [{ struct_id: snO2 }] });
  expect(body.verdict).toBe('poor');
  expect(body.statement).toMatch(/^The model does not describe the pattern/);
});

it('a refinement can be followed and cancelled by another request', async () => {
  const match_id = 'refined-and-cancelled';
  const asked = refine({
    match_id,
    phases: [{ struct_id: naCl, texture: 'automatic' }, { struct_id: snO2 }],
  });
  const about = async (call: string) =>
    (await test.post(`/api/xrd/${call}/`, { match_id }, { token })).json<{
      state?: string;
      message: string;
    }>();
  await expect.poll(async () => (await about('xrd_progress')).state).toBe('refining');
  expect((await about('xrd_progress')).message).toMatch(/^(Refining: \d+ %|There is no such match)/);
  await about('xrd_cancel');
  expect(['xrd.cancelled', undefined]).toContain((await asked).code);
});

describe('a request that cannot be refined', () => {
  const removed = { ...mixture, background_removed: true };
  const few = { x: mixture.x.slice(0, 30), y: mixture.y.slice(0, 30) };
  it.each([
    ['a phase of nothing', { phases: [{}] }, 'xrd.refine.phase'],
    ['a CIF that is none', { phases: [{ cif: 'data_x\n_cell_length_a five\n' }] }, 'xrd.refine.cif'],
    ['a pattern without its background', { xrd_data: removed }, 'xrd.refine.background-removed'],
    ['a range upside down', { range: [80, 20] }, 'xrd.refine.range'],
    ['a range beside the pattern', { range: [120, 140] }, 'xrd.refine.range'],
    ['too few standard deviations', { sigmas: [1, 2] }, 'xrd.refine.sigmas'],
    ['thirty points', { xrd_data: few }, 'xrd.refine.impossible'],
    ['an unknown source', { radiation: 'UKa' }, 'xrd.unknown-source'],
    ['a wavelength of zero', { wavelengths: [{ wavelength: 0, weight: 1 }] }, 'xrd.bad-wavelength'],
  ])('%s is refused in both languages', async (_, body, code) => {
    for (const language of ['en', 'zh']) {
      const answer = await refine(body, language);
      expect([answer.error, answer.code]).toEqual(['true', code]);
      expect(answer.message).not.toMatch(/\{\{|undefined/);
    }
  });

  it('gives 404 for a material that does not exist', async () => {
    const body = { xrd_data: mixture, phases: [{ struct_id: 999_999 }] };
    expect((await test.post('/api/xrd/refine/', body, { token })).statusCode).toBe(404);
  });
});
