/** The site of `npm start` loses its processes one by one to kill -9, as an out-of-memory killer would take them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { withClient } from './database.ts';
import { inRepository } from '../../../scripts/lib/paths.mjs';
import { freePort } from './postgres.ts';
import { capture } from '../../../scripts/lib/run.mjs';

/** How long a loaded machine may take; how fast it is is not what is tested. */
const PATIENCE = { timeout: 60_000, interval: 100 };

let home: string;
let base: string;
let launcher: ChildProcess;
let env: NodeJS.ProcessEnv;
let printed = '';

const postmaster = () => {
  const lines = readFileSync(join(home, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
};

/** The process of the launcher that runs this program now. */
async function pidOf(program: 'main.js' | 'worker.js'): Promise<number> {
  const { output } = await capture('ps', ['-o', 'pid=,args=', '--ppid', String(launcher.pid)]);
  return Number.parseInt(output.split('\n').find((line) => line.includes(program)) ?? '', 10);
}

const isHealthy = () =>
  fetch(`${base}/api/ready`).then(
    (answer) => answer.ok,
    () => false,
  );

/** Asks for a login code: a call that writes to the database. */
async function askForCode(mobile: string): Promise<number> {
  const answer = await fetch(`${base}/api/arkid/register_request_sm/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mobile }),
  });
  return answer.status;
}

async function workerSeenAfter(time: Date): Promise<boolean> {
  const password = readFileSync(join(home, 'postgres/password'), 'utf8').trim();
  const url = `postgresql://unitcell:${password}@127.0.0.1:${postmaster().port}/unitcell`;
  const { rowCount } = await withClient(url, (client) =>
    client.query('SELECT 1 FROM run4u_worker WHERE seen_at > $1', [time]),
  );
  return rowCount === 1;
}

const unitcell = (...words: string[]) =>
  capture(process.execPath, [inRepository('scripts/run.mjs'), 'unitcell', ...words], { env });

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'unitcell-survives-'));
  // The seed would take longer than everything that is tested here.
  mkdirSync(join(home, 'postgres'));
  writeFileSync(join(home, 'postgres/seeded'), '');
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  env = {
    ...process.env,
    UNITCELL_HOME: home,
    PORT: String(port),
    DATABASE_URL: '',
    RUN4U_SLOTS: '0',
    NODE_ENV: 'production',
  };
  launcher = spawn(process.execPath, [inRepository('scripts/up.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [launcher.stdout, launcher.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
  await vi.waitUntil(() => printed.includes('Unitcell is ready at'), PATIENCE);
});

afterAll(async () => {
  if (launcher.exitCode === null) {
    launcher.kill('SIGTERM');
    await once(launcher, 'exit');
  }
  rmSync(home, { recursive: true, force: true });
});

describe('a running site', () => {
  it('keeps its data directory closed and login codes out of files', async () => {
    expect(await askForCode('13800000001')).toBe(200);
    await expect.poll(() => printed, PATIENCE).toMatch(/^SMS code for 138\*{4}0001 \(register\): \d+$/m);
    const [, code = ''] = /SMS code .*: (\d+)/.exec(printed) ?? [];
    const logs = readdirSync(join(home, 'logs')).map((name) => join(home, 'logs', name));
    // What the request itself wrote is there, so the line would be too.
    await expect
      .poll(() => readFileSync(join(home, 'logs/api.log'), 'utf8'), PATIENCE)
      .toContain('register_request_sm');
    for (const file of logs) {
      expect(readFileSync(file, 'utf8')).not.toContain(code);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    expect(statSync(home).mode & 0o007).toBe(0);
    expect(readFileSync(join(home, 'logs/api.log'), 'utf8')).not.toContain('/api/health');
  });

  it('brings a killed PostgreSQL back on the same port; api, worker and commands find it there', async () => {
    const before = { api: await pidOf('main.js'), worker: await pidOf('worker.js'), ...postmaster() };
    const killedAt = new Date();
    process.kill(before.pid, 'SIGKILL');
    const command = await unitcell('run4u', 'list');
    expect(command).toMatchObject({ code: 0 });
    await expect.poll(isHealthy, PATIENCE).toBe(true);
    expect(await askForCode('13800000002')).toBe(200);
    // The worker reports itself to the database again.
    await expect.poll(() => workerSeenAfter(killedAt), PATIENCE).toBe(true);
    expect(postmaster().port).toBe(before.port);
    expect(postmaster().pid).not.toBe(before.pid);
    expect(await pidOf('main.js')).toBe(before.api);
    expect(await pidOf('worker.js')).toBe(before.worker);
    expect(printed).toContain('PostgreSQL runs again');
  });

  it.each([
    ['worker', 'worker.js', 'main.js'],
    ['api', 'main.js', 'worker.js'],
  ] as const)('starts a killed %s again and leaves the other alone', async (_name, killed, other) => {
    const before = { killed: await pidOf(killed), other: await pidOf(other), database: postmaster().pid };
    process.kill(before.killed, 'SIGKILL');
    await expect.poll(async () => [before.killed, NaN].includes(await pidOf(killed)), PATIENCE).toBe(false);
    await expect.poll(isHealthy, PATIENCE).toBe(true);
    expect(await pidOf(other)).toBe(before.other);
    expect(postmaster().pid).toBe(before.database);
  });

  it('stops in words when its database cannot be brought back', async () => {
    const file = join(home, 'postgres/data/postgresql.conf');
    renameSync(file, `${file}.away`);
    const api = await pidOf('main.js');
    process.kill(postmaster().pid, 'SIGKILL');
    await expect.poll(() => launcher.exitCode, PATIENCE).toBe(1);
    expect(printed).toMatch(/PostgreSQL ended and could not be started again on port \d+\. Its log: /);
    expect(printed).not.toMatch(/^\s+at /m);
    expect(() => process.kill(api, 0)).toThrow('ESRCH');
  });
});
