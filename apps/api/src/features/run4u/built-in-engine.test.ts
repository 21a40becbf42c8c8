/** Tests the built-in potential as the engine of a worker without a program. */
import { phononsJson } from '@unitcell/contract/run4u';
import type { CompactCell } from '@unitcell/crystal';
import { createTestDatabase, type TestDatabase } from '@unitcell/tools/test-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { translator } from '../../messages/messages.ts';
import { element, importLineOf, rockSalt, storeMaterials } from '../../testing/material-factory.ts';
import { submissionsRepository } from './submissions.repository.ts';
import { isFinished, openWorkerFixture, type WorkerFixture } from './testing/worker-fixture.ts';

let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made.drop());

let fixture: WorkerFixture;
beforeEach(async () => {
  const env = { RUN4U_ENGINE: 'auto', RUN4U_TEMPLATE_COMMAND: '', RUN4U_ABINIT_COMMAND: 'no-abinit' };
  fixture = await openWorkerFixture(env, async () => ({ ...made, drop: async () => undefined }));
});
afterEach(() => fixture.close());

const over = (row: { status: string }): boolean => row.status !== 'queued' && row.status !== 'running';

/** Wurtzite. Its expected energy is from the original code (sevenn 0.13.0). */
const ZINC_OXIDE: CompactCell = {
  lattice: [3.290431, 0, 0, -1.6452155, 2.8495968, 0, 0, 0, 5.307683],
  species: ['Zn', 'Zn', 'O', 'O'],
  coords: [1 / 3, 2 / 3, 0, 2 / 3, 1 / 3, 0.5, 1 / 3, 2 / 3, 0.379, 2 / 3, 1 / 3, 0.879],
};
/** Compressed rock salt. The expected energy of the relaxed cell is from the original code. */
const cubicCell = (elements: readonly [string, string], half: number): CompactCell => ({
  lattice: [0, half, half, half, 0, half, half, half, 0],
  species: [...elements],
  coords: [0, 0, 0, 0.5, 0.5, 0.5],
});
/** A crooked chain of SiO in a vacuum. It bends easily and takes 600 steps, twice the limit of a relaxation. */
const SOFT_CRYSTAL: CompactCell = {
  lattice: [27, 0, 0, 0.3, 10, 0, 0.2, 0.1, 10],
  species: Array.from({ length: 18 }, (_, i) => (i % 2 === 0 ? 'Si' : 'O')),
  coords: Array.from({ length: 18 }, (_, i) => [
    i / 18 + 0.01 * Math.sin(7 * i),
    0.5 + 0.08 * Math.sin(39 + 7 * i),
    0.5 + 0.08 * Math.sin(3 + 11 * i),
  ]).flat(),
};

/** LiF2 with 96 atoms in the primitive cell, on a displaced grid. */
const LARGE_CRYSTAL = importLineOf(
  { a: 11.2, b: 11.2, c: 16.8 },
  Array.from({ length: 96 }, (_, i) => {
    const shift = 0.01 * Math.sin(1 + 7 * i);
    return [
      i % 3 === 0 ? 'Li' : 'F',
      (i % 4) / 4 + shift,
      (Math.floor(i / 4) % 4) / 4,
      Math.floor(i / 16) / 6,
    ];
  }),
);

describe('a worker without a program', () => {
  it.each([
    ['compressed rock salt', cubicCell(['Na', 'Cl'], 2.75), -3.38395823],
    ['zinc oxide', ZINC_OXIDE, -4.54890571],
  ])('relaxes %s to the energy of the original code', async (_, cell, energy) => {
    fixture.startRunner();
    const row = await fixture.until(await fixture.submit(cell), over);
    expect(row).toMatchObject({ status: 'finished', structId: null });
    const { predicted } = row.state;
    expect(predicted?.model).toMatch(/^SevenNet-0 /);
    expect(Math.abs((predicted?.energyPerAtom ?? 0) - energy)).toBeLessThan(1e-4);
    expect(predicted?.maxForce).toBeLessThan(0.002);
    expect(Math.abs(predicted?.pressureGpa ?? 9)).toBeLessThan(0.02);
    expect(predicted?.cell.species).toEqual(cell.species);
    expect(predicted?.warnings[0]?.[0]).toBe('potential.predicted');
  });

  it('stores the path of the relaxation, from the given to the relaxed cell', async () => {
    fixture.startRunner();
    const cell = cubicCell(['Na', 'Cl'], 2.75);
    const id = await fixture.submit(cell);
    const row = await fixture.until(id, over);
    const { energies = [], frames = [] } =
      (await submissionsRepository(fixture.database).resultsOf(id))?.course ?? {};
    expect(frames.map(({ step }) => step)).toEqual(energies.map((_, step) => step));
    expect(frames[0]).toEqual({ step: 0, lattice: cell.lattice, positions: cell.coords });
    frames
      .at(-1)
      ?.lattice.forEach((value, at) =>
        expect(value).toBeCloseTo(row.state.predicted?.cell.lattice[at] ?? 0, 4),
      );
    expect(frames.length).toBeGreaterThan(2);
  });

  it('stores nothing in the catalogue and reports its engine', async () => {
    fixture.startRunner();
    await fixture.until(await fixture.submit(), isFinished);
    expect(await fixture.materials()).toEqual([]);
    const { rows } = await fixture.database.pool.query(
      'SELECT engine, engine_version, missing FROM run4u_worker',
    );
    expect(rows).toEqual([{ engine: 'sevennet-0', engine_version: '11July2024', missing: '' }]);
  });

  it.each([
    ['an element without parameters', cubicCell(['Po', 'O'], 2.8), 'no-parameters', { elements: 'Po' }],
    ['an atom without neighbours', cubicCell(['Ne', 'Ne'], 9), 'isolated-atom', { cutoff: 5 }],
    ['atoms on top of each other', cubicCell(['Na', 'Cl'], 0.7), 'overlapping-atoms', {}],
  ])('refuses %s with a reason', async (_, cell, reasonCode, reasonParameters) => {
    fixture.startRunner();
    const row = await fixture.until(await fixture.submit(cell), over);
    expect(row).toMatchObject({ status: 'failed', reasonCode, state: { reasonParameters } });
  });

  it('keeps the last step of a relaxation that does not converge, and states how to continue from it', async () => {
    fixture.startRunner();
    const row = await fixture.until(await fixture.submit(SOFT_CRYSTAL), over);
    expect(row).toMatchObject({ status: 'failed', reasonCode: 'relax-not-converged' });
    const { course, reasonParameters = {} } = row.state;
    expect(course?.frames?.map(({ step }) => step)).toEqual([(course?.energies.length ?? 0) - 1]);
    expect(course?.energies.at(-1)).toBeLessThan((course?.energies[0] ?? 0) - 0.1);
    const told = (['en', 'zh'] as const).map((language) =>
      translator(language)('run4u.reason.relax-not-converged', reasonParameters),
    );
    expect(told[0]).toMatch(
      /the limit of 300 steps is reached\. Resubmit it to continue from the last step\.$/,
    );
    expect(told[1]).toMatch(/已达到 300 步的上限。重新提交即可从最后一步继续。$/);
  });

  it('limits the change of volume over a chain of resubmissions', async () => {
    fixture.startRunner();
    // The relaxed crystal has 22 Å³ per atom.
    const id = await fixture.submit(cubicCell(['Na', 'Cl'], 2.75), { method: 'prediction', startVolume: 15 });
    expect(await fixture.until(id, over)).toMatchObject({ status: 'failed', reasonCode: 'volume-change' });
  });

  it('compares an element with all its crystals', async () => {
    const crystals = await storeMaterials(fixture.database, [
      element('W', 2.6),
      element('W', 3.95, { formation_energy_per_atom: 0.02 }),
    ]);
    const phases = await submissionsRepository(fixture.database).knownPhases(['W']);
    expect(new Set(phases.map(({ structId }) => structId))).toEqual(new Set(crystals));
  });

  it('compares a compound with known phases that the same potential relaxed', async () => {
    // Tetragonal LiF in the structure of CuAu does not exist: it decomposes into rock salt.
    const [known] = await storeMaterials(fixture.database, [rockSalt('Li', 'F', 4.2), LARGE_CRYSTAL]);
    const phases = await submissionsRepository(fixture.database).knownPhases(['F', 'Li', 'F-Li']);
    expect(phases.map(({ formula, cell }) => [formula, cell !== null])).toEqual([
      ['LiF', true],
      ['LiF2', false],
    ]);
    fixture.startRunner();
    const id = await fixture.submit(
      { lattice: [2.6, 0, 0, 0, 2.6, 0, 0, 0, 2.6], species: ['Li', 'F'], coords: [0, 0, 0, 0.5, 0.5, 0.5] },
      { method: 'prediction' },
    );
    await fixture.until(id, over);
    const results = await submissionsRepository(fixture.database).resultsOf(id);
    expect(results?.hull).toMatchObject({
      scale: 'SevenNet-0 (11July2024) + MP2020',
      competing_phases: [{ formula: 'LiF', struct_id: known, atomic_fraction: 1 }],
      known_phases: 1,
      // This phase is too large to be relaxed. It is reported, not ignored.
      left_out: ['LiF2'],
    });
    // Materials Project, rock salt: −3.18 eV/atom; the structure of CsCl is about 0.15 eV/atom above it.
    const { formation_energy_per_atom: formation = 0, energy_above_hull: above = 0 } = results?.hull ?? {};
    expect(Math.abs(formation - above + 3.18)).toBeLessThan(0.06);
    expect(above).toBeGreaterThan(0.05);
    expect(above).toBeLessThan(0.4);
    expect(results?.course?.energies.at(-1)).toBeLessThan(results?.course?.energies[0] ?? 0);
  });

  it('reports stable compounds that are missing in the catalogue', async () => {
    const materials = {
      ...submissionsRepository(fixture.database),
      missingCompounds: async () => [
        {
          formula: 'LiF',
          composition: { Li: 1, F: 1 },
          isMarginal: false,
          formationEnergyPerAtom: null,
          heldAbove: null,
        },
        {
          formula: 'LiF2',
          composition: { Li: 1, F: 2 },
          isMarginal: false,
          formationEnergyPerAtom: null,
          heldAbove: 0.02,
        },
      ],
    };
    fixture.startRunner({ materials });
    const id = await fixture.submit(undefined, { method: 'prediction' });
    await fixture.until(id, over);
    const results = await materials.resultsOf(id);
    expect(results?.hull).toMatchObject({ missing: ['LiF'], known_phases: 0 });
  });

  it('predicts the requested properties, even of a crystal in the catalogue', async () => {
    await storeMaterials(fixture.database, [rockSalt('Na', 'Cl', 5.69)]);
    fixture.startRunner();
    const id = await fixture.submit(cubicCell(['Na', 'Cl'], 2.8), {
      method: 'prediction',
      tasks: ['eos', 'elastic', 'phonons', 'barrier'],
      ion: 'Li',
    });
    const row = await fixture.until(id, over);
    expect(row).toMatchObject({ status: 'finished', structId: null });
    expect(row.state).not.toHaveProperty('course');
    const results = await submissionsRepository(fixture.database).resultsOf(id);
    // Values of the original code (sevenn 0.13.0).
    expect(results?.elastic?.[0]?.[0]).toBeCloseTo(48.966, 0);
    expect(results?.eos?.volume_per_atom).toBeCloseTo(5.687623 ** 3 / 8, 1);
    expect(results?.phonons?.bands[0]?.frequencies[3]).toBeCloseTo(4.45, 1);
    // A 3 × 3 matrix for each of the two atoms of the primitive cell with each atom of the supercell.
    const { supercell = [], force_constants: constants } = phononsJson.parse(results?.phonons);
    expect(constants?.values).toHaveLength(2 * 9 * 2 * supercell.reduce((a, b) => a * b, 1));
    // The submitted crystal is the same as the stored one, so it is on the hull.
    expect(results?.hull?.energy_above_hull).toBeCloseTo(0, 3);
    expect(results?.failed).toEqual([{ task: 'barrier', reason: ['potential.no-ion', { ion: 'Li' }] }]);
  });

  it('does not take submissions without a method while a worker with a program may be starting', async () => {
    const [unspecified, asked] = [
      await fixture.submit(),
      await fixture.submit(ZINC_OXIDE, { method: 'prediction' }),
    ];
    fixture.startRunner({ programMilliseconds: 3_600_000 });
    expect(await fixture.until(asked, over)).toMatchObject({ status: 'finished' });
    expect(await fixture.row(unspecified)).toMatchObject({ status: 'queued' });
  });

  it('never calculates from first principles', async () => {
    const id = await fixture.submit(undefined, { method: 'first-principles' });
    const other = await fixture.submit(ZINC_OXIDE, { method: 'prediction' });
    fixture.startRunner();
    await fixture.until(other, over);
    expect(await fixture.row(id)).toMatchObject({ status: 'queued' });
  });

  it('finds a crystal that is in the catalogue', async () => {
    const id = await fixture.submit();
    const [known] = await storeMaterials(fixture.database, [rockSalt('Li', 'F', 4.03)]);
    fixture.startRunner();
    expect(await fixture.until(id, over)).toMatchObject({ status: 'existed', structId: known });
  });

  it('leaves submissions to a worker that has a program', async () => {
    await fixture.database.pool.query(
      `INSERT INTO run4u_worker (id, host, executor, engine, engine_version, slots, seen_at)
       VALUES ('other', 'b', 'local', 'abinit', '9.10.4', 1, now())`,
    );
    const id = await fixture.submit();
    fixture.startRunner();
    await expect
      .poll(async () => (await fixture.database.pool.query('SELECT id FROM run4u_worker')).rows)
      .toHaveLength(2);
    await fixture.untilLooked();
    expect(await fixture.row(id)).toMatchObject({ status: 'queued' });
    await fixture.database.pool.query("DELETE FROM run4u_worker WHERE id = 'other'");
    expect(await fixture.until(id, over)).toMatchObject({ status: 'finished' });
  });
});

it('submissions wait if the engine is set to none', async () => {
  const id = await fixture.submit();
  fixture.startRunner({ env: { RUN4U_ENGINE: 'none' } });
  await expect
    .poll(async () => (await fixture.database.pool.query('SELECT engine, missing FROM run4u_worker')).rows)
    .toEqual([{ engine: null, missing: 'RUN4U_ENGINE is none' }]);
  expect(await fixture.row(id)).toMatchObject({ status: 'queued' });
});

it('a worker with a program also predicts submissions that request a prediction', async () => {
  const id = await fixture.submit(ZINC_OXIDE, { method: 'prediction' });
  fixture.startRunner({
    env: {
      RUN4U_ENGINE: 'template',
      RUN4U_TEMPLATE_COMMAND: `${process.execPath} no-program.mjs`,
    },
  });
  const row = await fixture.until(id, over);
  expect(row).toMatchObject({ status: 'finished', structId: null });
  expect(row.state.predicted?.energyPerAtom).toBeCloseTo(-4.54890571, 3);
});
