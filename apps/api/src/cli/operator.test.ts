/** Tests account operations by the operator and their effects on the owners of the accounts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { rederiveCatalogue } from '@unitcell/contract/jobs';
import { builtProgram } from '@unitcell/tools/bundle';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openQueue } from '../infra/queue.ts';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { rockSalt, storeMaterials } from '../testing/material-factory.ts';
import { storeEnergies } from '../testing/store-energies.ts';
import { hullRepository } from '../catalogue/derive/hull.repository.ts';
import { rederiveAll } from '../catalogue/derive/rederive-catalogue.ts';

import { runUnitcell } from '../testing/run-unitcell.ts';

let test: TestApp;
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'unitcell-'));
  test = await buildTestApp({ env: { UNITCELL_HOME: home } });
});
afterAll(async () => {
  await test.close();
  await rm(home, { recursive: true, force: true });
});

const unitcell = (...words: readonly string[]) => runUnitcell(test.config, words);
const profile = (token: string) => test.get('/api/arkid/get_user_infor/', { token });
const statusOf = async (token: string): Promise<number> => (await profile(token)).statusCode;
const audited = async (...words: readonly string[]) =>
  JSON.parse(await unitcell('audit', '--json', ...words)) as {
    event: string;
    accountId: number;
    address: string;
    detail: Record<string, string>;
  }[];

it('blocking an account ends its tokens and keys at once and refuses its sign-in with a message; unblocking restores them', async () => {
  const mobile = '13922220001';
  const token = await test.signIn(mobile);
  const { userid } = (await profile(token)).json<{ userid: number }>();
  const key = await unitcell('api-key', 'create', '--for', mobile, '--scopes', 'matdata', '--expires', '30d');
  expect([await statusOf(token), await statusOf(key)]).toEqual([200, 200]);

  await unitcell('user', 'block', mobile);
  await expect.poll(() => statusOf(token)).toBe(401);
  expect(await statusOf(key)).toBe(401);
  const sent = test.messages.length;
  const refused = await test.post('/api/arkid/login_request_sm/', { mobile });
  expect(refused.json()).toMatchObject({ error: 'true', code: 'account.blocked' });
  expect(refused.json<{ message: string }>().message).toContain('blocked by an administrator');
  expect(test.messages.length).toBe(sent);
  await expect(unitcell('user', 'block', mobile)).rejects.toThrow(/already blocked/);
  expect(await unitcell('user', 'list', mobile)).toContain('blocked');

  await unitcell('user', 'unblock', String(userid));
  expect(await statusOf(key)).toBe(200);
  expect(await statusOf(token)).toBe(401);
  const events = await audited('--account', String(userid), '--since', '1h');
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['account-blocked', 'account-unblocked']),
  );
});

it('blocking an account between code and sign-in prevents a token', async () => {
  const mobile = '13922220002';
  await test.signIn(mobile);
  await test.database.pool.query('DELETE FROM rate_bucket');
  await test.post('/api/arkid/login_request_sm/', { mobile });
  const code = test.messages.findLast((message) => message.mobile === mobile)?.code;
  const { sms_token } = (await test.post('/api/arkid/login_get_sms_token/', { mobile, code })).json<{
    sms_token: string;
  }>();
  await unitcell('user', 'block', mobile);
  const answer = await test.post('/api/arkid/login_check_sm/', { mobile, sms_token });
  expect(answer.json()).toMatchObject({ error: 'true', code: 'account.blocked' });
  expect(answer.json()).not.toHaveProperty('token');
});

it('deleting an account removes personal data and frees the number, and the audit log records the operator', async () => {
  const mobile = '13922220003';
  const token = await test.signIn(mobile);
  await test.post('/api/arkid/change_infor/', { name: 'Somebody' }, { token });
  const { userid } = (await profile(token)).json<{ userid: number }>();
  await unitcell('api-key', 'create', '--for', mobile, '--scopes', 'matdata', '--expires', '30d');
  const labels = async () =>
    (await test.database.pool.query('SELECT label FROM api_key WHERE account_id = $1', [userid])).rows;
  expect(await labels()).toEqual([{ label: '139****0003' }]);
  await expect(unitcell('user', 'delete', mobile)).rejects.toThrow(/--yes/);
  expect(await statusOf(token)).toBe(200);
  await unitcell('user', 'delete', mobile, '--yes');
  expect(await labels()).toEqual([{ label: '' }]);
  await expect.poll(() => statusOf(token)).toBe(401);
  const { rows } = await test.database.pool.query('SELECT name, mobile FROM account WHERE id = $1', [userid]);
  expect(rows).toEqual([{ name: '', mobile: null }]);
  const [entry] = await audited('--account', String(userid), '--event', 'account-deleted');
  expect(entry).toMatchObject({ address: 'command line', detail: { mobile: '139****0003' } });
});

it('changing a number ends the sessions, the new number signs in to the same account, and a taken number is refused', async () => {
  const [lost, next, taken] = ['13922220004', '13922220005', '13922220006'];
  const token = await test.signIn(lost);
  await test.signIn(taken);
  const { userid } = (await profile(token)).json<{ userid: number }>();
  await expect(unitcell('user', 'change-mobile', lost, taken)).rejects.toThrow(/belongs to account/);
  await expect(unitcell('user', 'change-mobile', lost, '12345')).rejects.toThrow(/eleven digits/);
  expect(await statusOf(token)).toBe(200);
  await unitcell('user', 'change-mobile', lost, next);
  await expect.poll(() => statusOf(token)).toBe(401);
  expect((await profile(await test.signIn(next))).json()).toMatchObject({ userid, mobile: next });
  const [entry] = await audited('--event', 'mobile-changed', '--account', String(userid));
  expect(entry?.detail).toEqual({ from: '139****0004', to: '139****0005' });
});

it('the audit command refuses invalid options', async () => {
  await expect(unitcell('audit', '--since', 'yesterday')).rejects.toThrow(/36h, 7d or 2026-11-01/);
  await expect(unitcell('audit', '--limit', '0')).rejects.toThrow(/from 1 to/);
  expect(await audited('--since', '2999-01-01')).toEqual([]);
});

it('unitcell completeness lists the missing compounds of a system and of a scale, and refuses scales without a list', async () => {
  const formulas = ['Li', 'C', 'O2', 'Li2O', 'Li2CO3'];
  await storeEnergies(
    test.database,
    'own',
    formulas.map((formula, index) => ({ structId: index + 1, formula, formationEnergyPerAtom: -index / 2 })),
  );
  await rederiveAll(test.database);
  await expect(unitcell('completeness', 'Li-C-O', '--scale', 'own')).rejects.toThrow(
    /no list .* --load FILE/,
  );
  const list = join(home, 'stable.txt');
  await writeFile(list, 'CO2 CLi2O3 Li2O LiO~ H2O\n');
  await expect(unitcell('completeness', '--load', list, '--scale', 'own')).rejects.toThrow(/# source: TEXT/);
  const loaded = await unitcell('completeness', '--load', list, '--scale', 'own', '--source', 'a test');
  expect(loaded).toBe('own: 5 compositions known to be stable');
  const printed = await unitcell('completeness', 'Li-C-O', '--scale', 'own');
  expect(printed).toContain(
    'C-Li-O lacks 2 compounds that are stable on the scale own:\n  Li2O2  (stable by less than 5 meV/atom)\n  CO2\n',
  );
  expect(JSON.parse(await unitcell('completeness', 'Li-C', '--scale', 'own', '--json'))).toEqual({
    functional: 'own',
    chemicalSystem: 'C-Li',
    status: 'complete',
    missing: [],
  });
  expect(JSON.parse(await unitcell('completeness', '--json'))).toMatchObject([
    { functional: 'own', status: 'incomplete', systems: 2, incomplete: 2, worst: [{ system: 'C-Li-O' }, {}] },
  ]);
  const sum = /own: 2 of 2 chemical systems lack .*most: C-Li-O \(2\), Li-O \(1\).*Li2O2 \(2\), CO2 \(1\)/;
  expect(await unitcell('diagnose').catch(({ stdout }: { stdout: string }) => stdout)).toMatch(sum);
});

it.each([['completeness'], ['export']])(
  '%s ends silently when its output is no longer read',
  async (word) => {
    const { databaseUrl, jwtSecret } = test.config;
    const child = spawn(process.execPath, [builtProgram('cli'), word], {
      env: { ...process.env, DATABASE_URL: databaseUrl, JWT_SECRET: jwtSecret, UNITCELL_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const errors = text(child.stderr);
    const [status] = await once(child, 'close');
    expect([status, (await errors).replace(/\d+ materials exported\n/, '')]).toEqual([0, '']);
  },
);

it('unitcell export reports that its file cannot be written if it is a folder or the disk is full', async () => {
  await storeMaterials(test.database, [rockSalt('Mg', 'O', 4.212)]);
  await expect(unitcell('export', home)).rejects.toThrow(/^\S+ cannot be written: EISDIR/);
  await expect(unitcell('export', '/dev/full')).rejects.toThrow(/^\/dev\/full cannot be written: ENOSPC/);
});

const namesOfJobs = async (): Promise<string[]> => {
  const queue = await openQueue(test.config, () => undefined);
  try {
    return (await queue.list(50)).map(({ name }) => name);
  } finally {
    await queue.close();
  }
};

it('unitcell import queues the derivation of stored files even if a later file cannot be read', async () => {
  const good = join(home, 'good.jsonl');
  await writeFile(good, JSON.stringify(rockSalt('Ca', 'O', 4.81)));
  const missing = join(home, 'missing.jsonl');
  const before = await namesOfJobs();
  await expect(unitcell('import', good, missing)).rejects.toThrow('missing.jsonl does not exist');
  expect(await namesOfJobs()).toEqual([rederiveCatalogue.name, ...before]);
});

it('unitcell seed queues the derivation of its materials if another process is deriving', async () => {
  await mkdir(join(home, 'seed', 'generated'), { recursive: true });
  await writeFile(join(home, 'seed', 'generated', 'one.jsonl'), JSON.stringify(rockSalt('Sr', 'O', 5.16)));
  const before = await namesOfJobs();
  const unlock = await hullRepository(test.database).tryLock();
  await unitcell('seed', '--from', join(home, 'seed'));
  await unlock!();
  expect(await namesOfJobs()).toEqual([rederiveCatalogue.name, ...before]);
});

it('the report of a refused import is listed without reasons if it was truncated or deleted', async () => {
  await mkdir(join(home, 'reports'), { recursive: true });
  await writeFile(join(home, 'reports', 'import-refused-1790000000000.json'), '{"surprises": ["1 of');
  // A dangling link is listed but cannot be read, like a file that is deleted after the folder is listed.
  await symlink('nothing', join(home, 'reports', 'import-refused-1790000000001.json'));
  const token = await test.signInAdministrator();
  const { refused } = (await test.post('/api/operate/imports/', {}, { token })).json();
  expect(refused).toMatchObject([
    { file: 'import-refused-1790000000001.json', surprises: [] },
    { file: 'import-refused-1790000000000.json', surprises: [] },
  ]);
});

it("diagnose uses the workers' reports about engines rather than a check of its own machine", async () => {
  await test.database.pool.query(
    `INSERT INTO run4u_worker (id, host, executor, engine, engine_version, slots, seen_at)
     VALUES ('one', 'a', 'local', 'abinit', '9.6.2', 2, now()), ('two', 'b', 'local', NULL, '', 1, now()), ('gone', 'c', 'local', 'vasp', '6', 1, now() - interval '5 minutes')`,
  );
  expect(await unitcell('diagnose').catch(({ stdout }: { stdout: string }) => stdout)).toContain(
    'run4u: calculated by 1 of 2 workers: abinit 9.6.2, executor local\n',
  );
});
