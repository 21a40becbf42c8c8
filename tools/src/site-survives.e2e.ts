/** The site of `npm start`: what it keeps private, and in the nightly run that it restarts killed processes. */
import { readFileSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRepository } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';
import { withClient } from './database.ts';
import { launchSite, type StartedSite } from './started-site.ts';

const atNight = process.env.NIGHTLY !== undefined;
let site: StartedSite;

const workerSeenAfter = (time: Date): Promise<boolean> =>
  withClient(site.databaseUrl(), async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM run4u_worker WHERE seen_at > $1', [time]);
    return rowCount === 1;
  });

/** Files that another user may read, and directories that any user may enter, as `mode path`. */
const openToOthers = (home: string): string[] =>
  [home, ...readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name))].flatMap(
    (path) => {
      const found = statSync(path, { throwIfNoEntry: false }); // the server's files come and go
      if (!found) return [];
      // PostgreSQL started by root runs as nobody, whose group may pass through.
      const open = found.mode & (found.isDirectory() ? 0o067 : 0o077);
      return open === 0 ? [] : [`${(found.mode & 0o777).toString(8)} ${path.slice(home.length)}`];
    },
  );

const unitcell = (...words: string[]) =>
  capture(process.execPath, [inRepository('tools/run.mjs'), 'unitcell', ...words], { env: site.env });

beforeAll(async () => {
  // Loading the seed data would take longer than the tests.
  site = await launchSite({ isSeeded: false, env: { RUN4U_SLOTS: '0' } });
  await site.ready;
});

afterAll(() => site.stop());

describe('a running site', () => {
  it('keeps its data directory private and login codes out of files', async () => {
    expect(await site.askForCode('13800000001')).toBe(200);
    await expect.poll(() => site.printed()).toMatch(/^SMS code for 138\*{4}0001 \(register\): \d+$/m);
    const [, code = ''] = /SMS code .*: (\d+)/.exec(site.printed()) ?? [];
    const logs = readdirSync(join(site.home, 'logs')).map((name) => join(site.home, 'logs', name));
    // The request's own log record has been written, so a line with the code would have been too.
    await expect
      .poll(() => readFileSync(join(site.home, 'logs/api.log'), 'utf8'))
      .toContain('register_request_sm');
    for (const file of logs) expect(readFileSync(file, 'utf8')).not.toContain(code);
    expect(openToOthers(site.home)).toEqual([]);
    expect(readFileSync(join(site.home, 'logs/api.log'), 'utf8')).not.toContain('/api/health');
  });

  it.each(atNight ? (['worker', 'api'] as const) : [])(
    'restarts a killed %s and leaves the others alone',
    async (killed) => {
      const other = killed === 'api' ? 'worker' : 'api';
      const before = {
        killed: await site.pidOf(killed),
        other: await site.pidOf(other),
        database: site.postmaster().pid,
      };
      process.kill(before.killed, 'SIGKILL');
      await expect.poll(async () => [before.killed, NaN].includes(await site.pidOf(killed))).toBe(false);
      await expect.poll(site.isHealthy).toBe(true);
      expect(await site.pidOf(other)).toBe(before.other);
      expect(site.postmaster().pid).toBe(before.database);
    },
  );

  it.each(atNight ? ['PostgreSQL'] : [])(
    'restarts a killed %s on the same port, where api, worker and commands find it',
    async () => {
      const before = {
        api: await site.pidOf('api'),
        worker: await site.pidOf('worker'),
        ...site.postmaster(),
      };
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
    },
  );

  // This test is the last, because it leaves no running site.
  it.each(atNight ? ['database'] : [])(
    'stops with an explanation when its %s cannot be restarted',
    async () => {
      const file = join(site.home, 'postgres/data/postgresql.conf');
      renameSync(file, `${file}.away`);
      const api = await site.pidOf('api');
      process.kill(site.postmaster().pid, 'SIGKILL');
      await expect.poll(() => site.exitCode()).toBe(1);
      expect(site.printed()).toMatch(/PostgreSQL stopped and could not be restarted on port \d+\. Log: /);
      expect(site.printed()).not.toMatch(/^\s+at /m);
      expect(() => process.kill(api, 0)).toThrow('ESRCH');
    },
  );
});
