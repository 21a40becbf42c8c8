/** Tests operator calls: authorization, and their effects on submissions, the catalogue and the queue. */
import { calls } from '@unitcell/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { accountRepository } from '../account/account.repository.ts';
import { apiKeys } from '../account/api-keys.ts';
import { done, operating, PREFIX, UNKNOWN } from '../../testing/operating.ts';

const CELL = { lattice: [4, 0, 0, 0, 4, 0, 0, 0, 4], species: [['Na', 1]], coords: [0, 0, 0] };

let test: TestApp;
let administrator: string;
let me: number;
beforeAll(async () => {
  test = await buildTestApp({ env: { API_KEYS: 'members', RUN4U_DAILY_LIMIT: '3' } });
  administrator = await test.signInAdministrator();
  me = await idOf('13600000000');
});
afterAll(() => test.close());
const { idOf, ask, codeOf, somebody, lastAudit } = operating(() => ({ test, administrator }));

describe('authorization of operator calls', () => {
  const operated = calls.filter(({ path }) => path.startsWith(PREFIX));

  it('allows all calls of the prefix to administrators only', () => {
    expect(operated.length).toBeGreaterThan(25);
    expect(calls.filter(({ access }) => access === 'administrator')).toEqual(operated);
  });

  it.each(operated)('$path: refuses all other callers', async ({ path, method }) => {
    const common = await test.signIn('13500000001').catch(() => '');
    const internal = await test.signIn('13500000002').catch(() => '');
    await test.database.pool.query(
      "UPDATE account SET user_type = 2 WHERE mobile = '13500000002'; DELETE FROM rate_bucket",
    );
    const { key } = await apiKeys(test.database).create({
      accountId: me,
      label: 'of an administrator',
      scopes: ['all'],
      expiresAt: new Date(Date.now() + 86_400_000),
      ratePerMinute: 100,
    });
    const send = (token?: string, language = 'en') =>
      test.app.inject({
        method,
        url: path,
        headers: {
          'accept-language': language,
          'content-type': 'application/json',
          ...(token ? { authorization: `token ${token}` } : {}),
        },
        payload: '{}',
      });
    const answers = [await send(), await send(common), await send(internal), await send(key)];
    expect(answers.map((answer) => [answer.statusCode, answer.json<{ code: string }>().code])).toEqual([
      [401, 'auth.missing'],
      [403, 'operate.administrators-only'],
      [403, 'operate.administrators-only'],
      [403, 'auth.scope'],
    ]);
    const inChinese = (await send(common, 'zh')).json<{ message: string }>().message;
    expect(inChinese).toMatch(/管理/);
  });

  it('applies a revoked role to open sessions at once', async () => {
    const second = await test.signInAdministrator('13600000001');
    expect((await ask('health', {}, { token: second })).statusCode).toBe(200);
    await ask('person/role', { id: await idOf('13600000001'), role: 'internal' });
    await expect
      .poll(() => codeOf('health', {}, { token: second }))
      .toEqual([403, 'operate.administrators-only']);
  });
});

describe('administrator privileges', () => {
  it('cannot be taken from the last administrator by a role change, block or deletion', async () => {
    expect(await codeOf('person/role', { id: me, role: 'common' })).toEqual([
      200,
      'account.last-administrator',
    ]);
    expect(await codeOf('invite', { id: me, role: 'common' })).toEqual([200, 'operate.other-administrator']);
    expect(await codeOf('person/block', { id: me })).toEqual([200, 'operate.yourself']);
    expect(await codeOf('person/delete', { id: me })).toEqual([200, 'operate.yourself']);
    expect((await ask('health')).statusCode).toBe(200);
  });

  it('remain with one of two administrators who demote each other at the same time', async () => {
    const token = await test.signInAdministrator('13600000002');
    const other = await idOf('13600000002');
    const answers = await Promise.all([
      codeOf('person/role', { id: other, role: 'common' }),
      codeOf('person/role', { id: me, role: 'common' }, { token }),
    ]);
    const { rows } = await test.database.pool.query('SELECT id FROM account WHERE is_administrator');
    expect(rows).toHaveLength(1);
    expect(answers.map(([, code]) => code)).toContain(undefined);
    await test.database.pool.query('UPDATE account SET is_administrator = false');
    administrator = await test.signInAdministrator();
  });

  it('cannot be gained by any other call', async () => {
    const { id, token } = await somebody('13400000005');
    for (const field of ['is_administrator', 'user_type', 'role', 'isAdministrator']) {
      const answer = await test.post('/api/arkid/change_infor/', { name: 'x', [field]: true }, { token });
      expect([field, answer.statusCode]).toEqual([field, 400]);
    }
    // Directory groups set internal and common users, and do not change administrators.
    const accounts = accountRepository(test.database);
    expect(await accounts.setUserType(id, 2)).toBe(1);
    expect(await accounts.setUserType(me, 1)).toBeNull();
    const { rows } = await test.database.pool.query('SELECT id FROM account WHERE is_administrator');
    expect(rows).toEqual([{ id: me }]);
    await expect(
      test.database.pool.query('UPDATE account SET user_type = 1 WHERE id = $1', [me]),
    ).rejects.toThrow(/account_administrators_are_internal/);
  });

  it('require a second factor if internal users need one', async () => {
    const strict = await buildTestApp({ env: { SECOND_FACTOR: 'internal' } });
    try {
      const token = await strict.signIn('13600000003');
      const id = (await accountRepository(strict.database).idByMobile('13600000003'))!;
      await strict.database.pool.query(
        'UPDATE account SET user_type = 2, is_administrator = true WHERE id = $1',
        [id],
      );
      await strict.database.pool.query("SELECT pg_notify('session_revoked', $1)", [`account:${id}`]);
      await expect
        .poll(async () => (await strict.post(`${PREFIX}health/`, {}, { token })).statusCode)
        .toBe(401);
    } finally {
      await strict.close();
    }
  });
});

describe('submissions', () => {
  it('are listed, cancelled and queued again, each only once and with an audit entry', async () => {
    const { rows } = await test.database.pool.query(
      `INSERT INTO submission (account_id, status, formula, space_group, structure, nsites)
       VALUES ($1, 'queued', 'Na', 'Pm-3m', $2, 1) RETURNING id`,
      [me, JSON.stringify(CELL)],
    );
    const { id } = rows[0];
    const list = (status: string | null) => ask('submissions', { status });
    expect((await list('queued')).json().submissions).toMatchObject([{ id, formula: 'Na', account_id: me }]);
    expect(await codeOf('submission/cancel', { id })).toEqual(done);
    expect(await lastAudit()).toMatchObject({
      account_id: me,
      actor_id: me,
      event: 'submission-cancelled',
      detail: { submission: id },
    });
    expect(await codeOf('submission/cancel', { id })).toEqual([200, 'run4u.not-cancellable']);
    expect(await codeOf('submission/retry', { id })).toEqual(done);
    expect(await codeOf('submission/retry', { id })).toEqual([200, 'run4u.not-resubmittable']);
    expect((await list(null)).json().submissions).toMatchObject([{ id, status: 'queued' }]);
    expect(await codeOf('submission/cancel', { id: UNKNOWN })).toEqual([404, 'operate.not-found']);
  });

  it('start or pause as set by an administrator', async () => {
    await ask('drain', { draining: true });
    expect((await ask('submissions')).json().is_draining).toBe(true);
    expect(await lastAudit()).toMatchObject({ actor_id: me, event: 'run4u-drained' });
    await ask('drain', { draining: false });
    expect((await ask('submissions')).json().is_draining).toBe(false);
  });
});

describe('the catalogue and the queue', () => {
  it('report running work, imported files and their changes', async () => {
    await test.database.pool.query(
      `INSERT INTO work_progress (kind, detail, done, total) VALUES ('import', 'big.jsonl', 3, 4);
       INSERT INTO import_run (file_key, path, accepted, refused) VALUES ('k', 'big.jsonl', 9, 1)`,
    );
    const { rows } = await test.database.pool.query(
      `INSERT INTO release (kind, finished_at, summary) VALUES ('import', now(), $1) RETURNING id`,
      [
        JSON.stringify({
          files: [{ path: 'big.jsonl', accepted: 9, refused: 1, duplicates: 0 }],
          hulls: [
            {
              functional: 'PBE',
              compared: 10,
              changed: 2,
              becameStable: 1,
              ceasedToBeStable: 0,
              largest: [{ structId: 5, formula: 'NaCl', before: 0.1, after: null }],
            },
          ],
        }),
      ],
    );
    const overview = (await ask('imports')).json();
    expect(overview.under_way).toMatchObject([{ kind: 'import', detail: 'big.jsonl', done: 3, total: 4 }]);
    expect(overview.files).toMatchObject([{ path: 'big.jsonl', accepted: 9, refused: 1 }]);
    expect(overview.releases[0]).toMatchObject({ id: rows[0].id, accepted: 9 });
    const report = (await ask('release', { id: rows[0].id })).json();
    expect(report.hulls).toMatchObject([{ changed: 2, largest: [{ struct_id: 5, after: null }] }]);
    expect(await codeOf('release', { id: UNKNOWN })).toEqual([404, 'operate.not-found']);
  });

  it('list jobs and remove waiting ones', async () => {
    const { openQueue } = await import('../../infra/queue.ts');
    const { run4uWake } = await import('@unitcell/contract/jobs');
    const queue = await openQueue(test.config, () => undefined);
    await queue.enqueue(run4uWake, {}, { delaySeconds: 3600 });
    const { jobs, backend, is_there } = (await ask('queue')).json();
    expect([backend, is_there, jobs.length]).toEqual(['postgres', true, 1]);
    expect(jobs[0]).toMatchObject({ name: run4uWake.name, state: 'delayed', attempts: 0 });
    expect(await codeOf('job/retry', { id: jobs[0].id })).toEqual([200, 'operate.job-not-failed']);
    expect(await codeOf('job/remove', { id: jobs[0].id })).toEqual(done);
    expect(await codeOf('job/remove', { id: jobs[0].id })).toEqual([200, 'operate.job-runs']);
    expect((await ask('queue')).json().jobs).toEqual([]);
    await queue.close();
  });
});
