/** Tests submissions from queued to finished, and all faults (the fault table of docs/operating/operations.md). */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PRESETS } from '@unitcell/calculators';
import { createTestDatabase, type TestDatabase } from '@unitcell/tools/test-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { storeMaterials, rockSalt } from '../../testing/material-factory.ts';
import { readConfig } from '../../config/config.ts';
import type { PotentialThread } from './engines/engine.ts';
import { detectTemplate } from './engines/detect-engine.ts';
import { localExecutor } from './executors/local-executor.ts';
import { readRun4uSettings } from './run4u-settings.ts';
import { seedLines } from '../../testing/seed-lines.ts';
import { isAlive, isFinished, openWorkerFixture, type WorkerFixture } from './testing/worker-fixture.ts';

/** The energy scale of the engine, and of the elements in the seed data. */
const SEED_SCALE = `PBE (ABINIT, gpaw-data, ${PRESETS.standard.cutoffHa} Ha)`;

let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made.drop());

let fixture: WorkerFixture;
beforeEach(async () => {
  fixture = await openWorkerFixture({}, async () => ({ ...made, drop: async () => undefined }));
});
afterEach(async () => {
  vi.useRealTimers();
  await fixture.close();
});

const over = (row: { status: string }): boolean => row.status !== 'queued' && row.status !== 'running';

describe('the pipeline', () => {
  it("turns a submission into a material with bands through the catalogue's own import", async () => {
    fixture.startRunner();
    const id = await fixture.submit();
    const row = await fixture.until(id, isFinished);
    expect(row.structId).toBeGreaterThanOrEqual(2_000_000_001);
    expect(fixture.stepsBegun()).toEqual(['relax', 'static', 'bands', 'dos']);
    expect(await fixture.materials()).toEqual([
      { struct_id: row.structId, source_id: `run4u-${id}`, has_band: true, band_gap: 2.375 },
    ]);
    const { rows } = await fixture.database.pool.query(
      `SELECT material.provenance, jsonb_array_length(band.data->'kPoints') AS k, dirty.n
       FROM material JOIN band_structure AS band USING (struct_id),
         (SELECT count(*)::int AS n FROM dirty_system) AS dirty`,
    );
    expect(rows[0]).toMatchObject({ provenance: { engine: 'template', preset: 'ci', submission: id }, n: 0 });
    expect(rows[0].k).toBeGreaterThan(20);
    // The scratch folder is removed after the row is finished.
    await expect.poll(() => readdirSync(`${fixture.scratch}/runs`)).toEqual([]);
  });

  it('puts the result on the same hull as the elements of the seed data', async () => {
    // The scale and the energies of Li, F2 and LiF are from the seed data: ABINIT, gpaw-data, 22 Ha.
    const [lithium, fluorine, fluoride] = seedLines(1, 61, 123);
    await storeMaterials(fixture.database, [lithium!, fluorine!]);
    const own = fluoride!.energies.find(({ functional }) => functional === SEED_SCALE)!;
    fixture.behave({ energy: (own.energy! / fluoride!.structure.sites.length) * 2 });
    fixture.startRunner({
      detectEngine: async () => {
        const { engine } = await detectTemplate(
          readRun4uSettings(readConfig(fixture.env)),
          process.env.PATH ?? '',
        );
        return { engine: { ...engine!, energyScale: () => SEED_SCALE } };
      },
    });
    const { structId } = await fixture.until(await fixture.submit(), isFinished);
    const { rows } = await fixture.database.pool.query(
      `SELECT functional, energy_above_hull AS height, round(formation_energy_per_atom::numeric, 3)::float8 AS formation
       FROM material WHERE struct_id = $1`,
      [structId],
    );
    // PBE, raw: −2.95 eV/atom; measured −3.19 (Chase 1998).
    expect(rows).toEqual([{ functional: SEED_SCALE, height: 0, formation: -2.954 }]);
  });

  it('finds a material that another calculation added after the submission', async () => {
    const id = await fixture.submit();
    const [known] = await storeMaterials(fixture.database, [rockSalt('Li', 'F', 4.03)]);
    fixture.startRunner();
    expect(await fixture.until(id, over)).toMatchObject({ status: 'existed', structId: known });
    expect(fixture.begun()).toEqual([]);
  });

  it('runs one submission per slot at a time, and stores a crystal submitted twice only once', async () => {
    fixture.startRunner();
    const ids = [await fixture.submit(), await fixture.submit(), await fixture.submit()];
    const rows = await Promise.all(ids.map((id) => fixture.until(id, over)));
    expect(await fixture.materials()).toHaveLength(1);
    expect(rows.some(isFinished)).toBe(true);
    for (const row of rows) expect(['finished', 'existed']).toContain(row.status);
  });
});

describe('the physics of a calculation', () => {
  // Rock salt, Ni–O 2.085 Å.
  const nickelOxide = {
    lattice: [0, 2.085, 2.085, 2.085, 0, 2.085, 2.085, 2.085, 0],
    species: ['Ni', 'O'],
    coords: [0, 0, 0, 0.5, 0.5, 0.5],
  };

  it('compares magnetic orderings and keeps the one of lowest energy in its magnetic cell, even if the crystal is in the catalogue', async () => {
    await storeMaterials(fixture.database, [rockSalt('Ni', 'O', 4.17)]);
    fixture.startRunner();
    const id = await fixture.submit(nickelOxide, {
      method: 'first-principles',
      physics: ['antiferromagnetic'],
    });
    const { state } = await fixture.until(id, isFinished);
    expect(fixture.stepsBegun()).toEqual(['static', 'static', 'static', 'relax', 'static', 'bands', 'dos']);
    // Energies of the ferromagnetic order and the two antiferromagnetic orders of rock salt.
    expect(state.orderings).toEqual([-5, -5.1, -5.1]);
    const moments = state.moments ?? [];
    expect(moments).toHaveLength(4);
    expect(moments.reduce((sum, moment) => sum + moment, 0)).toBe(0);
    expect(state.cell?.species.toSorted()).toEqual(['Ni', 'Ni', 'O', 'O']);
  });

  it('states for each magnetic start its energy, its moments and whether it kept its order', async () => {
    fixture.behave({ moments: 'lost' });
    fixture.startRunner();
    const wish = { method: 'first-principles', physics: ['antiferromagnetic'] } as const;
    await fixture.until(await fixture.submit(nickelOxide, wish), isFinished);
    const { rows } = await fixture.database.pool.query('SELECT provenance FROM material');
    const { magnetic_order: order, magnetic_orderings: starts } = rows[0].provenance;
    expect(order).toBe('antiferromagnetic');
    expect(starts).toMatchObject([
      { energy_per_atom: -5, local_moments: [0, 0], is_order_kept: false },
      { energy_per_atom: -5.1, is_order_kept: true },
      { energy_per_atom: -5.1, is_order_kept: true },
    ]);
    expect(starts[1].local_moments).toHaveLength(4);
  });

  it('leaves out and reports a magnetic start that does not converge, and continues with the others', async () => {
    fixture.behave({ moments: 'unconverged' });
    fixture.startRunner();
    const wish = { method: 'first-principles', physics: ['antiferromagnetic'] } as const;
    const { state } = await fixture.until(await fixture.submit(nickelOxide, wish), over);
    expect(state.orderings).toEqual(['scf-not-converged', -5.1, -5.1]);
    const { rows } = await fixture.database.pool.query('SELECT provenance FROM material');
    const { magnetic_order: order, magnetic_orderings: starts } = rows[0].provenance;
    expect(order).toBe('antiferromagnetic');
    expect(starts[0]).toEqual({ order: 'ferromagnetic', wave: [0, 0, 0], failure: 'scf-not-converged' });
    expect(starts[1]).toMatchObject({ energy_per_atom: -5.1, is_order_kept: true });
  });

  it('fails if no magnetic start converges', async () => {
    fixture.behave({ static: 'scf' });
    fixture.startRunner();
    const wish = { method: 'first-principles', physics: ['antiferromagnetic'] } as const;
    const row = await fixture.until(await fixture.submit(nickelOxide, wish), over);
    expect(row).toMatchObject({ status: 'failed', reasonCode: 'scf-not-converged' });
    expect(fixture.stepsBegun()).toEqual(['static', 'static', 'static']);
  });

  it('reports that the only magnetic start lost its moment', async () => {
    fixture.behave({ moments: 'lost' });
    fixture.startRunner();
    await fixture.until(await fixture.submit(nickelOxide), isFinished);
    const { rows } = await fixture.database.pool.query('SELECT provenance FROM material');
    expect(rows[0].provenance).toMatchObject({
      magnetic_order: 'nonmagnetic',
      magnetic_orderings: [{ order: 'ferromagnetic', energy_per_atom: -5, is_order_kept: false }],
    });
  });

  it('keeps an antiferromagnetic order if the engine does not write the moments of the sites', async () => {
    fixture.behave({ moments: 'none' });
    fixture.startRunner();
    const wish = { method: 'first-principles', physics: ['antiferromagnetic'] } as const;
    const { state } = await fixture.until(await fixture.submit(nickelOxide, wish), isFinished);
    expect(state.moments).toHaveLength(4);
    const { rows } = await fixture.database.pool.query('SELECT provenance FROM material');
    expect(rows[0].provenance.magnetic_order).toBe('antiferromagnetic');
    expect(rows[0].provenance.magnetic_orderings[0]).not.toHaveProperty('local_moments');
  });

  it('is refused before anything runs if the engine does not support the requested physics', async () => {
    fixture.startRunner();
    const id = await fixture.submit(nickelOxide, { method: 'first-principles', physics: ['hubbard-u'] });
    expect(await fixture.until(id, over)).toMatchObject({ status: 'failed', reasonCode: 'not-calculable' });
    expect(fixture.begun()).toEqual([]);
  });
});

describe('faults of a calculation', () => {
  it.each([
    ['refuse', 'engine-refused'],
    ['scf', 'scf-not-converged'],
    ['broken', 'output-incomplete'],
  ] as const)('%s ends it with the reason %s', async (behaviour, reasonCode) => {
    fixture.behave({ static: behaviour });
    fixture.startRunner();
    const id = await fixture.submit();
    expect(await fixture.until(id, over)).toMatchObject({ status: 'failed', reasonCode, structId: null });
    expect(await fixture.materials()).toEqual([]);
  });

  it('end the calculation when it exceeds the memory limit', async () => {
    fixture.behave({ relax: 'hungry' });
    fixture.startRunner();
    const id = await fixture.submit();
    expect(await fixture.until(id, over)).toMatchObject({ status: 'failed', reasonCode: 'out-of-memory' });
  });

  it('end the calculation when it exceeds the time limit', async () => {
    fixture.behave({ relax: 'hang' });
    fixture.startRunner({ env: { RUN4U_STEP_HOURS: '0.001' } });
    const id = await fixture.submit();
    expect(await fixture.until(id, over)).toMatchObject({ status: 'failed', reasonCode: 'time-limit' });
    // Under load the limit can pass before the engine has started.
    expect(fixture.begun().filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  it('include an element without a data set, which is refused before anything runs', async () => {
    fixture.startRunner({
      detectEngine: async () => {
        const { engine } = await detectTemplate(
          readRun4uSettings(readConfig(fixture.env)),
          process.env.PATH ?? '',
        );
        return { engine: { ...engine!, dataSets: async () => ({ found: {}, missing: ['Tc'] }) } };
      },
    });
    const id = await fixture.submit();
    expect(await fixture.until(id, over)).toMatchObject({
      status: 'failed',
      reasonCode: 'no-data-set',
      state: { reasonParameters: { elements: 'Tc' } },
    });
  });
});

describe('faults of the infrastructure', () => {
  it.each(process.env.NIGHTLY ? (['relax', 'static', 'bands', 'dos'] as const) : (['bands'] as const))(
    'an engine killed with -9 in %s is restarted, without repeating finished steps',
    async (step) => {
      fixture.behave({ [step]: 'hang' });
      fixture.startRunner();
      const id = await fixture.submit();
      await fixture.untilBegun(step);
      await fixture.until(id, (row) => row.state.running !== null && row.state.running !== undefined);
      fixture.behave({});
      process.kill(fixture.begun().at(-1)!.pid, 'SIGKILL');
      const waiting = await fixture.until(id, (row) => row.status === 'queued');
      expect(waiting.reasonCode).toBe('interrupted');
      await fixture.expireLeases();
      await fixture.until(id, isFinished);
      const order = ['relax', 'static', 'bands', 'dos'];
      expect(fixture.stepsBegun().toSorted((a, b) => order.indexOf(a) - order.indexOf(b))).toEqual(
        order.flatMap((one) => (one === step ? [one, one] : [one])),
      );
      expect(await fixture.materials()).toHaveLength(1);
    },
  );

  it('a submission fails when its engine crashes repeatedly', async () => {
    fixture.behave({ bands: 'crash' });
    fixture.startRunner();
    const id = await fixture.submit();
    const soon = setInterval(() => void fixture.expireWaiting(), 100);
    const row = await fixture.until(id, over).finally(() => clearInterval(soon));
    expect(row).toMatchObject({ status: 'failed', reasonCode: 'engine-crashed' });
    expect(fixture.stepsBegun().filter((one) => one === 'bands')).toHaveLength(4);
    expect(fixture.stepsBegun().filter((one) => one === 'relax')).toHaveLength(1);
  });

  it('a cancelled submission stops its engine at once', async () => {
    fixture.behave({ static: 'hang' });
    fixture.startRunner();
    const id = await fixture.submit();
    await fixture.untilBegun('static');
    await fixture.database.pool.query(
      "UPDATE submission SET status = 'cancelled', lease_owner = NULL WHERE id = $1",
      [id],
    );
    const { pid } = fixture.begun().at(-1)!;
    while (isAlive(pid)) await sleep(20);
    await fixture.untilLooked();
    expect(await fixture.row(id)).toMatchObject({ status: 'cancelled' });
  });

  it('a stopped worker returns its submission to the queue, and another worker continues it', async () => {
    fixture.behave({ bands: 'hang' });
    const first = fixture.startRunner();
    const id = await fixture.submit();
    await fixture.untilBegun('bands');
    await first.close();
    expect(await fixture.row(id)).toMatchObject({
      status: 'queued',
      reasonCode: 'interrupted',
      leaseOwner: null,
    });
    expect(isAlive(fixture.begun().at(-1)!.pid)).toBe(false);
    fixture.behave({});
    fixture.startRunner();
    await fixture.until(id, isFinished);
    expect(fixture.stepsBegun()).toEqual(['relax', 'static', 'bands', 'bands', 'dos']);
  });

  it('a worker that lost its lease stops writing and stops its engine', async () => {
    fixture.behave({ relax: 'hang' });
    const slow = fixture.startRunner();
    const id = await fixture.submit();
    await fixture.untilBegun('relax');
    await fixture.until(id, (row) => row.state.running !== null && row.state.running !== undefined);
    await fixture.database.pool.query(
      "UPDATE submission SET lease_owner = 'somebody else', attempt = attempt + 1 WHERE id = $1",
      [id],
    );
    while (isAlive(fixture.begun()[0]!.pid)) await sleep(20);
    await fixture.untilLooked();
    expect(await fixture.row(id)).toMatchObject({ status: 'running', leaseOwner: 'somebody else' });
    await slow.close();
    expect(await fixture.row(id)).toMatchObject({ status: 'running', leaseOwner: 'somebody else' });
  });

  it('a run survives cut connections to PostgreSQL', async () => {
    fixture.startRunner();
    const id = await fixture.submit();
    for (const step of ['relax', 'static', 'bands', 'dos']) {
      await fixture.untilBegun(step);
      await fixture.database.pool
        .query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        )
        .catch(() => undefined);
    }
    await fixture.until(id, isFinished);
    expect(fixture.stepsBegun()).toEqual(['relax', 'static', 'bands', 'dos']);
    expect(await fixture.materials()).toHaveLength(1);
  });

  it('only steps whose scratch files were lost are repeated', async () => {
    fixture.behave({ dos: 'hang' });
    fixture.startRunner();
    const id = await fixture.submit();
    await fixture.untilBegun('dos');
    await fixture.until(id, (row) => row.state.running !== null && row.state.running !== undefined);
    const { state } = await fixture.row(id);
    rmSync(`${fixture.scratch}/runs/${id}/${state.folders!.bands}`, { recursive: true });
    fixture.behave({});
    process.kill(fixture.begun().at(-1)!.pid, 'SIGKILL');
    await fixture.until(id, (row) => row.status === 'queued');
    await fixture.expireLeases();
    await fixture.until(id, isFinished);
    expect(fixture.stepsBegun()).toEqual(['relax', 'static', 'bands', 'dos', 'dos', 'bands', 'dos']);
  });

  it('a wrong clock of the worker machine has no influence', async () => {
    fixture.behave({ static: 'hang' });
    fixture.startRunner();
    const id = await fixture.submit();
    await fixture.untilBegun('static');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    await fixture.untilLooked({ beats: true });
    vi.setSystemTime(Date.now() - 10 * 86_400_000);
    await fixture.untilLooked({ beats: true });
    expect(fixture.stepsBegun()).toEqual(['relax', 'static']);
    fixture.behave({});
    process.kill(fixture.begun().at(-1)!.pid, 'SIGKILL');
    await fixture.until(id, (row) => row.status === 'queued');
    await fixture.expireLeases();
    await fixture.until(id, isFinished);
  });

  it('a full disk pauses work with a message, and work resumes automatically', async () => {
    const id = await fixture.submit();
    const full = fixture.startRunner({ env: { RUN4U_MINIMUM_FREE_MB: '1e12' } });
    expect(await fixture.until(id, (row) => row.reasonCode !== '')).toMatchObject({
      status: 'queued',
      reasonCode: 'disk-full',
    });
    await full.close();
    fixture.startRunner();
    expect(await fixture.until(id, isFinished)).toMatchObject({ reasonCode: '' });
  });

  it('a disk that is full when a run begins pauses the submission any number of times without failing it', async () => {
    const local = localExecutor(process.env.PATH ?? '');
    let fullTimes = 7;
    fixture.startRunner({
      executor: {
        ...local,
        start: async (run) => {
          if (fullTimes-- > 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
          return local.start(run);
        },
      },
    });
    const id = await fixture.submit();
    expect(await fixture.until(id, (row) => row.reasonCode !== '')).toMatchObject({
      status: 'queued',
      reasonCode: 'disk-full',
      state: { done: ['validate', 'deduplicate'] },
    });
    const soon = setInterval(() => void fixture.expireWaiting(), 50);
    const row = await fixture.until(id, over).finally(() => clearInterval(soon));
    expect(row).toMatchObject({ status: 'finished', reasonCode: '' });
    expect(fixture.stepsBegun()).toEqual(['relax', 'static', 'bands', 'dos']);
  });

  it('a submission whose worker is stopped often is not given up', async () => {
    fixture.behave({ relax: 'hang' });
    const id = await fixture.submit();
    for (let stop = 0; stop < 8; stop++) {
      const runner = fixture.startRunner();
      await fixture.until(id, (row) => row.step === 'relax' || over(row));
      await runner.close();
    }
    expect(await fixture.row(id)).toMatchObject({ status: 'queued', reasonCode: 'interrupted' });
  });

  it('without an engine the worker reports what is missing, and starts once it is installed', async () => {
    const id = await fixture.submit();
    const bare = fixture.startRunner({
      detectEngine: async () => ({ engine: null, missing: 'install abinit' }),
    });
    const reported = async () =>
      (await fixture.database.pool.query('SELECT engine, missing FROM run4u_worker')).rows;
    while ((await reported()).length === 0) await sleep(20);
    expect(await reported()).toEqual([{ engine: null, missing: 'install abinit' }]);
    expect(await fixture.row(id)).toMatchObject({ status: 'queued' });
    await bare.close();
    fixture.startRunner();
    await fixture.until(id, isFinished);
  });

  it('run folders of ended submissions are deleted, unless a retry is possible', async () => {
    fixture.behave({ static: 'refuse' });
    const first = fixture.startRunner();
    const id = await fixture.submit();
    await fixture.until(id, over);
    await first.close();
    mkdirSync(`${fixture.scratch}/runs/999`);
    await fixture.database.pool.query(
      `UPDATE submission SET state = state || '{"running": {"folder": "static-1-1", "handle": "slurm:17"}}' WHERE id = $1`,
      [id],
    );
    const cancelled: string[] = [];
    const local = localExecutor(process.env.PATH ?? '');
    const next = fixture.startRunner({
      executor: { ...local, canFollow: () => true, cancel: async (handle) => void cancelled.push(handle) },
    });
    while (readdirSync(`${fixture.scratch}/runs`).includes('999')) await sleep(20);
    await next.close();
    expect(readdirSync(`${fixture.scratch}/runs`)).toEqual([String(id)]);
    expect(cancelled).toEqual(['slurm:17']);
    expect((await fixture.row(id)).state.running).toBeUndefined();
  });

  it('no submission starts while the operator drains Run4U', async () => {
    await fixture.database.pool.query('INSERT INTO run4u_control (id, is_draining) VALUES (1, true)');
    fixture.startRunner();
    const id = await fixture.submit();
    await fixture.untilLooked();
    expect(await fixture.row(id)).toMatchObject({ status: 'queued' });
    await fixture.database.pool.query('UPDATE run4u_control SET is_draining = false');
    await fixture.until(id, isFinished);
  });
});

it('predictions that never end do not delay a calculation from first principles', async () => {
  const predictions = [];
  for (let index = 0; index < 12; index++)
    predictions.push(await fixture.submit(undefined, { method: 'prediction' }));
  const calculation = await fixture.submit(undefined, { method: 'first-principles' });
  const thread = { run: () => new Promise(() => undefined) } as unknown as PotentialThread;
  fixture.startRunner({
    env: { RUN4U_SLOTS: '1' },
    potential: { thread, close: async () => undefined },
  });
  expect(await fixture.until(calculation, over)).toMatchObject({ status: 'finished' });
  const rows = await Promise.all(predictions.map((id) => fixture.row(id)));
  expect(rows.map(({ status }) => status)).toEqual(['running', ...Array(11).fill('queued')]);
});

it('calculations from first principles that never end do not delay predictions', async () => {
  fixture.behave({ relax: 'hang' });
  const calculations = [
    await fixture.submit(undefined, { method: 'first-principles' }),
    await fixture.submit(undefined, { method: 'first-principles' }),
  ];
  fixture.startRunner({ env: { RUN4U_SLOTS: '1' } });
  await fixture.untilBegun('relax');
  for (let index = 0; index < 3; index++) {
    const id = await fixture.submit(undefined, { method: 'prediction' });
    expect(await fixture.until(id, over)).toMatchObject({ status: 'finished' });
  }
  const rows = await Promise.all(calculations.map((id) => fixture.row(id)));
  expect(rows.map(({ status }) => status)).toEqual(['running', 'queued']);
});
