/** From queued to isFinished, and every way that can be disturbed (the fault table of docs/operating/operations.md). */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PRESETS } from '@unitcell/calculators';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storeMaterials, rockSalt } from '../../testing/material-factory.ts';
import { readConfig } from '../../config/config.ts';
import { detectTemplate } from './engines/detect-engine.ts';
import { localExecutor } from './executors/local-executor.ts';
import { readRun4uSettings } from './run4u-settings.ts';
import { seedLines } from '../../testing/seed-lines.ts';
import { isAlive, isFinished, openWorkerFixture, type WorkerFixture } from './testing/worker-fixture.ts';

/** The energy scale of the engine, and of the seed's elements. */
const SEED_SCALE = `PBE (ABINIT, gpaw-data, ${PRESETS.standard.cutoffHa} Ha)`;

let bench: WorkerFixture;
beforeEach(async () => {
  bench = await openWorkerFixture();
});
afterEach(async () => {
  vi.useRealTimers();
  await bench.close();
});

const over = (row: { status: string }): boolean => row.status !== 'queued' && row.status !== 'running';

describe('the pipeline', () => {
  it("turns a submission into a material with bands, by the catalogue's own import", async () => {
    bench.startRunner();
    const id = await bench.submit();
    const row = await bench.until(id, isFinished);
    expect(row.structId).toBeGreaterThanOrEqual(2_000_000_001);
    expect(bench.stepsBegun()).toEqual(['relax', 'static', 'bands', 'dos']);
    expect(await bench.materials()).toEqual([
      { struct_id: row.structId, source_id: `run4u-${id}`, has_band: true, band_gap: 2.375 },
    ]);
    const { rows } = await bench.database.pool.query(
      `SELECT material.provenance, jsonb_array_length(band.data->'kPoints') AS k, dirty.n
       FROM material JOIN band_structure AS band USING (struct_id),
         (SELECT count(*)::int AS n FROM dirty_system) AS dirty`,
    );
    expect(rows[0]).toMatchObject({ provenance: { engine: 'template', preset: 'ci', submission: id }, n: 0 });
    expect(rows[0].k).toBeGreaterThan(20);
    // The scratch folder is removed after the row is finished.
    await expect.poll(() => readdirSync(`${bench.scratch}/runs`)).toEqual([]);
  });

  it("puts the result on the same hull as the seed's elements", async () => {
    // The scale and the energies of Li, F2 and LiF are those of the seed: ABINIT, gpaw-data, 22 Ha.
    const [lithium, fluorine, fluoride] = seedLines(1, 61, 123);
    await storeMaterials(bench.database, [lithium!, fluorine!]);
    const own = fluoride!.energies.find(({ functional }) => functional === SEED_SCALE)!;
    bench.behave({ energy: (own.energy! / fluoride!.structure.sites.length) * 2 });
    bench.startRunner({
      detectEngine: async () => {
        const { engine } = await detectTemplate(
          readRun4uSettings(readConfig(bench.env)),
          process.env.PATH ?? '',
        );
        return { engine: { ...engine!, energyScale: SEED_SCALE } };
      },
    });
    const { structId } = await bench.until(await bench.submit(), isFinished);
    const { rows } = await bench.database.pool.query(
      `SELECT functional, energy_above_hull AS height, round(formation_energy_per_atom::numeric, 3)::float8 AS formation
       FROM material WHERE struct_id = $1`,
      [structId],
    );
    // PBE, raw: −2.95 eV/atom; measured −3.19 (Chase 1998).
    expect(rows).toEqual([{ functional: SEED_SCALE, height: 0, formation: -2.954 }]);
  });

  it('finds a material that another calculation added meanwhile', async () => {
    const id = await bench.submit();
    const [known] = await storeMaterials(bench.database, [rockSalt('Li', 'F', 4.03)]);
    bench.startRunner();
    expect(await bench.until(id, over)).toMatchObject({ status: 'existed', structId: known });
    expect(bench.begun()).toEqual([]);
  });

  it('runs as many at a time as it has slots, and stores the same crystal once', async () => {
    bench.startRunner();
    const ids = [await bench.submit(), await bench.submit(), await bench.submit()];
    const rows = await Promise.all(ids.map((id) => bench.until(id, over)));
    expect(await bench.materials()).toHaveLength(1);
    expect(rows.some(isFinished)).toBe(true);
    for (const row of rows) expect(['finished', 'existed']).toContain(row.status);
  });
});

describe('faults of a calculation', () => {
  it.each([
    ['refuse', 'engine-refused'],
    ['scf', 'scf-not-converged'],
    ['broken', 'output-incomplete'],
  ] as const)('%s ends it with the reason %s', async (behaviour, reasonCode) => {
    bench.behave({ static: behaviour });
    bench.startRunner();
    const id = await bench.submit();
    expect(await bench.until(id, over)).toMatchObject({ status: 'failed', reasonCode, structId: null });
    expect(await bench.materials()).toEqual([]);
  });

  it('end it when it exceeds the memory limit', async () => {
    bench.behave({ relax: 'hungry' });
    bench.startRunner();
    const id = await bench.submit();
    expect(await bench.until(id, over)).toMatchObject({ status: 'failed', reasonCode: 'out-of-memory' });
  });

  it('end it when it exceeds the time limit', async () => {
    bench.behave({ relax: 'hang' });
    bench.startRunner({ env: { RUN4U_STEP_HOURS: '0.001' } });
    const id = await bench.submit();
    expect(await bench.until(id, over)).toMatchObject({ status: 'failed', reasonCode: 'time-limit' });
    expect(isAlive(bench.begun()[0]!.pid)).toBe(false);
  });

  it('refuse an element without a data set before anything runs', async () => {
    bench.startRunner({
      detectEngine: async () => {
        const { engine } = await detectTemplate(
          readRun4uSettings(readConfig(bench.env)),
          process.env.PATH ?? '',
        );
        return { engine: { ...engine!, dataSets: async () => ({ found: {}, missing: ['Tc'] }) } };
      },
    });
    const id = await bench.submit();
    expect(await bench.until(id, over)).toMatchObject({
      status: 'failed',
      reasonCode: 'no-data-set',
      state: { reasonParameters: { elements: 'Tc' } },
    });
  });
});

describe('faults of the infrastructure', () => {
  it.each(['relax', 'static', 'bands', 'dos'] as const)(
    'an engine killed with -9 in %s is restarted, without repeating finished steps',
    async (step) => {
      bench.behave({ [step]: 'hang' });
      bench.startRunner();
      const id = await bench.submit();
      await bench.untilBegun(step);
      await bench.until(id, (row) => row.state.running !== null && row.state.running !== undefined);
      bench.behave({});
      process.kill(bench.begun().at(-1)!.pid, 'SIGKILL');
      const waiting = await bench.until(id, (row) => row.status === 'queued');
      expect(waiting.reasonCode).toBe('interrupted');
      await bench.expireLeases();
      await bench.until(id, isFinished);
      const order = ['relax', 'static', 'bands', 'dos'];
      expect(bench.stepsBegun().toSorted((a, b) => order.indexOf(a) - order.indexOf(b))).toEqual(
        order.flatMap((one) => (one === step ? [one, one] : [one])),
      );
      expect(await bench.materials()).toHaveLength(1);
    },
  );

  it('an engine that crashes repeatedly fails the submission', async () => {
    bench.behave({ bands: 'crash' });
    bench.startRunner();
    const id = await bench.submit();
    const soon = setInterval(() => void bench.expireWaiting(), 100);
    const row = await bench.until(id, over).finally(() => clearInterval(soon));
    expect(row).toMatchObject({ status: 'failed', reasonCode: 'engine-crashed' });
    expect(bench.stepsBegun().filter((one) => one === 'bands')).toHaveLength(4);
    expect(bench.stepsBegun().filter((one) => one === 'relax')).toHaveLength(1);
  });

  it('a cancelled submission stops its engine at once', async () => {
    bench.behave({ static: 'hang' });
    bench.startRunner();
    const id = await bench.submit();
    await bench.untilBegun('static');
    await bench.database.pool.query(
      "UPDATE submission SET status = 'cancelled', lease_owner = NULL WHERE id = $1",
      [id],
    );
    const { pid } = bench.begun().at(-1)!;
    while (isAlive(pid)) await sleep(20);
    await bench.untilLooked();
    expect(await bench.row(id)).toMatchObject({ status: 'cancelled' });
  });

  it('a stopped worker puts its submission back, and another one continues it', async () => {
    bench.behave({ bands: 'hang' });
    const first = bench.startRunner();
    const id = await bench.submit();
    await bench.untilBegun('bands');
    await first.close();
    expect(await bench.row(id)).toMatchObject({
      status: 'queued',
      reasonCode: 'interrupted',
      leaseOwner: null,
    });
    expect(isAlive(bench.begun().at(-1)!.pid)).toBe(false);
    bench.behave({});
    bench.startRunner();
    await bench.until(id, isFinished);
    expect(bench.stepsBegun()).toEqual(['relax', 'static', 'bands', 'bands', 'dos']);
  });

  it('a worker that lost its lease writes nothing more and stops its engine', async () => {
    bench.behave({ relax: 'hang' });
    const slow = bench.startRunner();
    const id = await bench.submit();
    await bench.untilBegun('relax');
    await bench.until(id, (row) => row.state.running !== null && row.state.running !== undefined);
    await bench.database.pool.query(
      "UPDATE submission SET lease_owner = 'somebody else', attempt = attempt + 1 WHERE id = $1",
      [id],
    );
    while (isAlive(bench.begun()[0]!.pid)) await sleep(20);
    await bench.untilLooked();
    expect(await bench.row(id)).toMatchObject({ status: 'running', leaseOwner: 'somebody else' });
    await slow.close();
    expect(await bench.row(id)).toMatchObject({ status: 'running', leaseOwner: 'somebody else' });
  });

  it('a run survives cut connections to PostgreSQL', async () => {
    bench.startRunner();
    const id = await bench.submit();
    for (const step of ['relax', 'static', 'bands', 'dos']) {
      await bench.untilBegun(step);
      await bench.database.pool
        .query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        )
        .catch(() => undefined);
    }
    await bench.until(id, isFinished);
    expect(bench.stepsBegun()).toEqual(['relax', 'static', 'bands', 'dos']);
    expect(await bench.materials()).toHaveLength(1);
  });

  it('only steps whose scratch files were lost are repeated', async () => {
    bench.behave({ dos: 'hang' });
    bench.startRunner();
    const id = await bench.submit();
    await bench.untilBegun('dos');
    await bench.until(id, (row) => row.state.running !== null && row.state.running !== undefined);
    const { state } = await bench.row(id);
    rmSync(`${bench.scratch}/runs/${id}/${state.folders!.bands}`, { recursive: true });
    bench.behave({});
    process.kill(bench.begun().at(-1)!.pid, 'SIGKILL');
    await bench.until(id, (row) => row.status === 'queued');
    await bench.expireLeases();
    await bench.until(id, isFinished);
    expect(bench.stepsBegun()).toEqual(['relax', 'static', 'bands', 'dos', 'dos', 'bands', 'dos']);
  });

  it('the clock of this machine has no influence', async () => {
    bench.behave({ static: 'hang' });
    bench.startRunner();
    const id = await bench.submit();
    await bench.untilBegun('static');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    await bench.untilLooked({ beats: true });
    vi.setSystemTime(Date.now() - 10 * 86_400_000);
    await bench.untilLooked({ beats: true });
    expect(bench.stepsBegun()).toEqual(['relax', 'static']);
    bench.behave({});
    process.kill(bench.begun().at(-1)!.pid, 'SIGKILL');
    await bench.until(id, (row) => row.status === 'queued');
    await bench.expireLeases();
    await bench.until(id, isFinished);
  });

  it('a full disk pauses work with a message, and work resumes by itself', async () => {
    const id = await bench.submit();
    const full = bench.startRunner({ env: { RUN4U_MINIMUM_FREE_MB: '1e12' } });
    expect(await bench.until(id, (row) => row.reasonCode !== '')).toMatchObject({
      status: 'queued',
      reasonCode: 'disk-full',
    });
    await full.close();
    bench.startRunner();
    expect(await bench.until(id, isFinished)).toMatchObject({ reasonCode: '' });
  });

  it('a disk that is full when a run begins costs a pause, not the submission', async () => {
    const local = localExecutor(process.env.PATH ?? '');
    let isFull = true;
    bench.startRunner({
      executor: {
        ...local,
        start: async (run) => {
          if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
          return local.start(run);
        },
      },
    });
    const id = await bench.submit();
    expect(await bench.until(id, (row) => row.reasonCode !== '')).toMatchObject({
      status: 'queued',
      reasonCode: 'disk-full',
      state: { done: ['validate', 'deduplicate'] },
    });
    isFull = false;
    await bench.expireWaiting();
    await bench.until(id, isFinished);
    expect(bench.stepsBegun()).toEqual(['relax', 'static', 'bands', 'dos']);
  });

  it('without an engine the worker reports what is missing, and starts once it is there', async () => {
    const id = await bench.submit();
    const bare = bench.startRunner({
      detectEngine: async () => ({ engine: null, missing: 'install abinit' }),
    });
    const reported = async () =>
      (await bench.database.pool.query('SELECT engine, missing FROM run4u_worker')).rows;
    while ((await reported()).length === 0) await sleep(20);
    expect(await reported()).toEqual([{ engine: null, missing: 'install abinit' }]);
    expect(await bench.row(id)).toMatchObject({ status: 'queued' });
    await bare.close();
    bench.startRunner();
    await bench.until(id, isFinished);
  });

  it('folders of finished submissions are deleted, except where a retry is possible', async () => {
    bench.behave({ static: 'refuse' });
    const first = bench.startRunner();
    const id = await bench.submit();
    await bench.until(id, over);
    await first.close();
    mkdirSync(`${bench.scratch}/runs/999`);
    await bench.database.pool.query(
      `UPDATE submission SET state = state || '{"running": {"folder": "static-1-1", "handle": "slurm:17"}}' WHERE id = $1`,
      [id],
    );
    const cancelled: string[] = [];
    const local = localExecutor(process.env.PATH ?? '');
    const next = bench.startRunner({
      executor: { ...local, canFollow: () => true, cancel: async (handle) => void cancelled.push(handle) },
    });
    while (readdirSync(`${bench.scratch}/runs`).includes('999')) await sleep(20);
    await next.close();
    expect(readdirSync(`${bench.scratch}/runs`)).toEqual([String(id)]);
    expect(cancelled).toEqual(['slurm:17']);
    expect((await bench.row(id)).state.running).toBeUndefined();
  });

  it('nothing starts while the operator drains', async () => {
    await bench.database.pool.query('INSERT INTO run4u_control (id, is_draining) VALUES (1, true)');
    bench.startRunner();
    const id = await bench.submit();
    await bench.untilLooked();
    expect(await bench.row(id)).toMatchObject({ status: 'queued' });
    await bench.database.pool.query('UPDATE run4u_control SET is_draining = false');
    await bench.until(id, isFinished);
  });
});
