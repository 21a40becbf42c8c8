/** The site of `npm start` loses its processes one by one to kill -9, as an out-of-memory killer would take them. */
import { readFileSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from './database.ts';
import { inRepository } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';
import { launchSite, type StartedSite } from './started-site.ts';

let site: StartedSite;

const isHealthy = () =>
  fetch(`${site.url}/api/ready`).then(
    (answer) => answer.ok,
    () => false,
  );

/** Asks for a login code: a call that writes to the database. */
async function askForCode(mobile: string): Promise<number> {
  const answer = await fetch(`${site.url}/api/arkid/register_request_sm/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mobile }),
  });
  return answer.status;
}

const workerSeenAfter = (time: Date): Promise<boolean> =>
  withClient(site.databaseUrl(), async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM run4u_worker WHERE seen_at > $1', [time]);
    return rowCount === 1;
  });

const unitcell = (...words: string[]) =>
  capture(process.execPath, [inRepository('tools/run.mjs'), 'unitcell', ...words], { env: site.env });

beforeAll(async () => {
  // The seed would take longer than everything that is tested here.
  site = await launchSite({ isSeeded: false, env: { RUN4U_SLOTS: '0' } });
  await site.ready;
});

afterAll(() => site.stop());

describe('a running site', () => {
  it('keeps its data directory closed and login codes out of files', async () => {
    expect(await askForCode('13800000001')).toBe(200);
    await expect.poll(() => site.printed()).toMatch(/^SMS code for 138\*{4}0001 \(register\): \d+$/m);
    const [, code = ''] = /SMS code .*: (\d+)/.exec(site.printed()) ?? [];
    const logs = readdirSync(join(site.home, 'logs')).map((name) => join(site.home, 'logs', name));
    // What the request itself wrote is there, so the line would be too.
    await expect
      .poll(() => readFileSync(join(site.home, 'logs/api.log'), 'utf8'))
      .toContain('register_request_sm');
    for (const file of logs) {
      expect(readFileSync(file, 'utf8')).not.toContain(code);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    expect(statSync(site.home).mode & 0o007).toBe(0);
    expect(readFileSync(join(site.home, 'logs/api.log'), 'utf8')).not.toContain('/api/health');
  });

  it('brings a killed PostgreSQL back on the same port; api, worker and commands find it there', async () => {
    const before = { api: await site.pidOf('api'), worker: await site.pidOf('worker'), ...site.postmaster() };
    const killedAt = new Date();
    process.kill(before.pid, 'SIGKILL');
    const command = await unitcell('run4u', 'list');
    expect(command).toMatchObject({ code: 0 });
    await expect.poll(isHealthy).toBe(true);
    expect(await askForCode('13800000002')).toBe(200);
    // The worker reports itself to the database again.
    await expect.poll(() => workerSeenAfter(killedAt)).toBe(true);
    expect(site.postmaster().port).toBe(before.port);
    expect(site.postmaster().pid).not.toBe(before.pid);
    expect(await site.pidOf('api')).toBe(before.api);
    expect(await site.pidOf('worker')).toBe(before.worker);
    expect(site.printed()).toContain('PostgreSQL runs again');
  });

  it.each([
    ['worker', 'api'],
    ['api', 'worker'],
  ] as const)('starts a killed %s again and leaves the other alone', async (killed, other) => {
    const before = {
      killed: await site.pidOf(killed),
      other: await site.pidOf(other),
      database: site.postmaster().pid,
    };
    process.kill(before.killed, 'SIGKILL');
    await expect.poll(async () => [before.killed, NaN].includes(await site.pidOf(killed))).toBe(false);
    await expect.poll(isHealthy).toBe(true);
    expect(await site.pidOf(other)).toBe(before.other);
    expect(site.postmaster().pid).toBe(before.database);
  });

  it('stops in words when its database cannot be brought back', async () => {
    const file = join(site.home, 'postgres/data/postgresql.conf');
    renameSync(file, `${file}.away`);
    const api = await site.pidOf('api');
    process.kill(site.postmaster().pid, 'SIGKILL');
    await expect.poll(() => site.exitCode()).toBe(1);
    expect(site.printed()).toMatch(/PostgreSQL ended and could not be started again on port \d+\. Its log: /);
    expect(site.printed()).not.toMatch(/^\s+at /m);
    expect(() => process.kill(api, 0)).toThrow('ESRCH');
  });
});
