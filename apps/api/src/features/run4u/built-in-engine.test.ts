/** The potential that ships as the engine of a worker without a program. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompactCell } from '@unitcell/crystal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rockSalt, storeMaterials } from '../../testing/material-factory.ts';
import { isFinished, openWorkerFixture, type WorkerFixture } from './testing/worker-fixture.ts';

let bench: WorkerFixture;
beforeEach(async () => {
  bench = await openWorkerFixture({
    RUN4U_ENGINE: 'auto',
    RUN4U_TEMPLATE_COMMAND: '',
    RUN4U_ABINIT_COMMAND: 'no-abinit',
  });
});
afterEach(() => bench.close());

const over = (row: { status: string }): boolean => row.status !== 'queued' && row.status !== 'running';

/** Wurtzite; its energy is that of the original code (sevenn 0.13.0). */
const ZINC_OXIDE: CompactCell = {
  lattice: [3.290431, 0, 0, -1.6452155, 2.8495968, 0, 0, 0, 5.307683],
  species: ['Zn', 'Zn', 'O', 'O'],
  coords: [1 / 3, 2 / 3, 0, 2 / 3, 1 / 3, 0.5, 1 / 3, 2 / 3, 0.379, 2 / 3, 1 / 3, 0.879],
};
/** Rock salt; compressed, the energy of the relaxed cell is that of the original code. */
const cubicCell = (elements: readonly [string, string], half: number): CompactCell => ({
  lattice: [0, half, half, half, 0, half, half, half, 0],
  species: [...elements],
  coords: [0, 0, 0, 0.5, 0.5, 0.5],
});

describe('a worker without a program', () => {
  it.each([
    ['compressed rock salt', cubicCell(['Na', 'Cl'], 2.75), -3.38395823],
    ['zinc oxide', ZINC_OXIDE, -4.54890571],
  ])('relaxes %s to the energy of the original code', async (_, cell, energy) => {
    bench.startRunner();
    const row = await bench.until(await bench.submit(cell), over);
    expect(row).toMatchObject({ status: 'finished', structId: null });
    const { predicted } = row.state;
    expect(predicted?.model).toMatch(/^SevenNet-0 /);
    expect(Math.abs((predicted?.energyPerAtom ?? 0) - energy)).toBeLessThan(1e-4);
    expect(predicted?.maxForce).toBeLessThan(0.002);
    expect(Math.abs(predicted?.pressureGpa ?? 9)).toBeLessThan(0.02);
    expect(predicted?.cell.species).toEqual(cell.species);
    expect(predicted?.warnings[0]?.[0]).toBe('potential.predicted');
  });

  it('stores nothing in the catalogue and tells which engine it has', async () => {
    bench.startRunner();
    await bench.until(await bench.submit(), isFinished);
    expect(await bench.materials()).toEqual([]);
    const { rows } = await bench.database.pool.query(
      'SELECT engine, engine_version, missing FROM run4u_worker',
    );
    expect(rows).toEqual([{ engine: 'sevennet-0', engine_version: '11July2024', missing: '' }]);
  });

  it.each([
    ['an element without parameters', cubicCell(['Po', 'O'], 2.8), 'no-parameters', { elements: 'Po' }],
    ['an atom without neighbours', cubicCell(['Ne', 'Ne'], 9), 'isolated-atom', { cutoff: 5 }],
    ['atoms on top of each other', cubicCell(['Na', 'Cl'], 0.7), 'overlapping-atoms', {}],
  ])('refuses %s with a reason', async (_, cell, reasonCode, reasonParameters) => {
    bench.startRunner();
    const row = await bench.until(await bench.submit(cell), over);
    expect(row).toMatchObject({ status: 'failed', reasonCode, state: { reasonParameters } });
  });

  it('finds a crystal that the catalogue has', async () => {
    const id = await bench.submit();
    const [known] = await storeMaterials(bench.database, [rockSalt('Li', 'F', 4.03)]);
    bench.startRunner();
    expect(await bench.until(id, over)).toMatchObject({ status: 'existed', structId: known });
  });

  it('leaves submissions to a worker that has a program', async () => {
    await bench.database.pool.query(
      `INSERT INTO run4u_worker (id, host, executor, engine, engine_version, slots, seen_at)
       VALUES ('other', 'b', 'local', 'abinit', '9.10.4', 1, now())`,
    );
    const id = await bench.submit();
    bench.startRunner();
    await expect
      .poll(async () => (await bench.database.pool.query('SELECT id FROM run4u_worker')).rows)
      .toHaveLength(2);
    // Five polls.
    await sleep(500);
    expect(await bench.row(id)).toMatchObject({ status: 'queued' });
    await bench.database.pool.query("DELETE FROM run4u_worker WHERE id = 'other'");
    expect(await bench.until(id, over)).toMatchObject({ status: 'finished' });
  });
});

it('submissions wait where the engine is set to none', async () => {
  const id = await bench.submit();
  bench.startRunner({ env: { RUN4U_ENGINE: 'none' } });
  await expect
    .poll(async () => (await bench.database.pool.query('SELECT engine, missing FROM run4u_worker')).rows)
    .toEqual([{ engine: null, missing: 'RUN4U_ENGINE is none' }]);
  expect(await bench.row(id)).toMatchObject({ status: 'queued' });
});
