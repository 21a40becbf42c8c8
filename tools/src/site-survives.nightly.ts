/** The processes of `npm start` are killed one by one with kill -9; the e2e tier covers the worker. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from './database.ts';
import { inRepository } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';
import { launchSite, type StartedSite } from './started-site.ts';

let site: StartedSite;

const workerSeenAfter = (time: Date): Promise<boolean> =>
  withClient(site.databaseUrl(), async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM run4u_worker WHERE seen_at > $1', [time]);
    return rowCount === 1;
  });

const unitcell = (...words: string[]) =>
  capture(process.execPath, [inRepository('tools/run.mjs'), 'unitcell', ...words], { env: site.env });

beforeAll(async () => {
  // Loading the seed would take longer than the tests.
  site = await launchSite({ isSeeded: false, env: { RUN4U_SLOTS: '0' } });
  await site.ready;
});

afterAll(() => site.stop());

describe('a running site whose processes are killed', () => {
  it('restarts a killed PostgreSQL on the same port, where api, worker and commands find it', async () => {
    const before = { api: await site.pidOf('api'), worker: await site.pidOf('worker'), ...site.postmaster() };
    const killedAt = new Date();
    process.kill(before.pid, 'SIGKILL');
    const command = await unitcell('run4u', 'list');
    expect(command).toMatchObject({ code: 0 });
    await expect.poll(site.isHealthy).toBe(true);
    expect(await site.askForCode('13800000002')).toBe(200);
    // The worker reports to the database again.
    await expect.poll(() => workerSeenAfter(killedAt)).toBe(true);
    expect(site.postmaster().port).toBe(before.port);
    expect(site.postmaster().pid).not.toBe(before.pid);
    expect(await site.pidOf('api')).toBe(before.api);
    expect(await site.pidOf('worker')).toBe(before.worker);
    expect(site.printed()).toContain('PostgreSQL is running again');
  });

  it('restarts a killed api and leaves the worker alone', async () => {
    const before = {
      api: await site.pidOf('api'),
      worker: await site.pidOf('worker'),
      database: site.postmaster().pid,
    };
    process.kill(before.api, 'SIGKILL');
    await expect.poll(async () => [before.api, NaN].includes(await site.pidOf('api'))).toBe(false);
    await expect.poll(site.isHealthy).toBe(true);
    expect(await site.pidOf('worker')).toBe(before.worker);
    expect(site.postmaster().pid).toBe(before.database);
  });

  it('stops with an explanation when its database cannot be restarted', async () => {
    const file = join(site.home, 'postgres/data/postgresql.conf');
    renameSync(file, `${file}.away`);
    const api = await site.pidOf('api');
    process.kill(site.postmaster().pid, 'SIGKILL');
    await expect.poll(() => site.exitCode()).toBe(1);
    expect(site.printed()).toMatch(/PostgreSQL stopped and could not be restarted on port \d+\. Log: /);
    expect(site.printed()).not.toMatch(/^\s+at /m);
    expect(() => process.kill(api, 0)).toThrow('ESRCH');
  });
});
