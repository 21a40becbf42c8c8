/** The site of `npm start`: what it keeps private, and that it restarts a killed process. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchSite, type StartedSite } from './started-site.ts';

let site: StartedSite;

beforeAll(async () => {
  // Loading the seed would take longer than the tests.
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
    for (const file of logs) {
      expect(readFileSync(file, 'utf8')).not.toContain(code);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    expect(statSync(site.home).mode & 0o007).toBe(0);
    expect(readFileSync(join(site.home, 'logs/api.log'), 'utf8')).not.toContain('/api/health');
  });

  it('restarts a killed worker and leaves the api alone', async () => {
    const before = {
      worker: await site.pidOf('worker'),
      api: await site.pidOf('api'),
      database: site.postmaster().pid,
    };
    process.kill(before.worker, 'SIGKILL');
    await expect.poll(async () => [before.worker, NaN].includes(await site.pidOf('worker'))).toBe(false);
    await expect.poll(site.isHealthy).toBe(true);
    expect(await site.pidOf('api')).toBe(before.api);
    expect(site.postmaster().pid).toBe(before.database);
  });
});
