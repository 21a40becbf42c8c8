/** The calls of the operator's page: who may make them, what they do, and what the audit log says of it. */
import { calls } from '@unitcell/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { accountRepository } from '../account/account.repository.ts';
import { apiKeys } from '../account/api-keys.service.ts';

const PREFIX = '/api/operate/';
const CELL = { lattice: [4, 0, 0, 0, 4, 0, 0, 0, 4], species: [['Na', 1]], coords: [0, 0, 0] };
const UNKNOWN = 999_999;

let test: TestApp;
let administrator: string;
let me: number;
beforeAll(async () => {
  test = await buildTestApp({ env: { API_KEYS: 'members', RUN4U_DAILY_LIMIT: '3' } });
  administrator = await test.signInAdministrator();
  me = await idOf('13600000000');
});
afterAll(() => test.close());

const idOf = async (mobile: string): Promise<number> =>
  (await accountRepository(test.database).idByMobile(mobile))!;
const ask = (path: string, body: object = {}, options: { token?: string; language?: string } = {}) =>
  test.post(`${PREFIX}${path}/`, body, { token: administrator, ...options });
const codeOf = async (path: string, body: object = {}, options: { token?: string } = {}) => {
  const answer = await ask(path, body, options);
  return [answer.statusCode, answer.json<{ code?: string }>().code];
};
const done = [200, undefined];
/** Somebody new, with a session. */
async function somebody(mobile: string): Promise<{ id: number; token: string }> {
  await test.database.pool.query('DELETE FROM rate_bucket');
  const token = await test.signIn(mobile);
  return { id: await idOf(mobile), token };
}
const lastAudit = async () => {
  const { rows } = await test.database.pool.query(
    'SELECT account_id, actor_id, event, detail FROM audit_log ORDER BY id DESC LIMIT 1',
  );
  return rows[0];
};

describe('who may', () => {
  const operated = calls.filter(({ path }) => path.startsWith(PREFIX));

  it('has all calls of the prefix for administrators, and none elsewhere', () => {
    expect(operated.length).toBeGreaterThan(25);
    expect(calls.filter(({ access }) => access === 'administrator')).toEqual(operated);
  });

  it.each(operated)('$path: nobody else, whatever they hold', async ({ path, method }) => {
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

  it('a role that is taken away is gone in open sessions at once', async () => {
    const second = await test.signInAdministrator('13600000001');
    expect((await ask('health', {}, { token: second })).statusCode).toBe(200);
    await ask('person/role', { id: await idOf('13600000001'), role: 'internal' });
    await expect
      .poll(() => codeOf('health', {}, { token: second }))
      .toEqual([403, 'operate.administrators-only']);
  });
});

describe('people', () => {
  it('are found, blocked with their sessions, and let in again', async () => {
    const { id, token } = await somebody('13400000001');
    const found = (await ask('people', { search: '13400000001' })).json();
    expect(found.people).toMatchObject([
      {
        id,
        role: 'common',
        mobile: '134****0001',
        sessions: 1,
        blocked_at: null,
        run4u: { used: 0, limit: 3 },
      },
    ]);
    expect(
      (await ask('people', { search: String(id) })).json().people.map((one: { id: number }) => one.id),
    ).toContain(id);
    expect(await codeOf('person/block', { id })).toEqual(done);
    expect(await lastAudit()).toMatchObject({ account_id: id, actor_id: me, event: 'account-blocked' });
    await expect
      .poll(async () => (await test.get('/api/arkid/get_user_infor/', { token })).statusCode)
      .toBe(401);
    expect(await codeOf('person/block', { id })).toEqual([200, 'operate.already-blocked']);
    expect((await ask('people', { only_blocked: true })).json().people).toHaveLength(1);
    expect(await codeOf('person/unblock', { id })).toEqual(done);
    expect(await codeOf('person/unblock', { id })).toEqual([200, 'operate.not-blocked']);
  });

  it('show where they are signed in, and lose one session or all', async () => {
    const { id, token } = await somebody('13400000002');
    await test.database.pool.query('DELETE FROM rate_bucket');
    await test.signIn('13400000002');
    const { sessions } = (await ask('person', { id })).json();
    expect(sessions).toHaveLength(2);
    const [newest] = sessions;
    expect(await codeOf('person/sessions', { id, session_id: newest.id })).toEqual(done);
    expect(await codeOf('person/sessions', { id, session_id: newest.id })).toEqual([
      404,
      'operate.not-found',
    ]);
    expect(await codeOf('person/sessions', { id })).toEqual(done);
    await expect
      .poll(async () => (await test.get('/api/arkid/get_user_infor/', { token })).statusCode)
      .toBe(401);
    expect((await ask('person', { id })).json().sessions).toEqual([]);
  });

  it('get a role at once, and a daily limit of their own', async () => {
    const { id, token } = await somebody('13400000003');
    expect(await codeOf('person/role', { id, role: 'internal' })).toEqual(done);
    expect(await lastAudit()).toMatchObject({
      event: 'role-changed',
      detail: { was: 'common', is: 'internal' },
    });
    await expect
      .poll(async () => (await test.get('/api/arkid/get_user_infor/', { token })).json().user_type)
      .toBe(2);
    expect(await codeOf('person/quota', { id, daily_limit: 7 })).toEqual(done);
    const quota = async () => (await test.post('/api/run4u/dashboard_handle/', {}, { token })).json();
    expect(JSON.stringify(await quota())).toContain('"limit":7');
    expect(await codeOf('person/quota', { id, daily_limit: null })).toEqual(done);
    expect(JSON.stringify(await quota())).toContain('"limit":3');
    expect((await ask('person/quota', { id, daily_limit: -1 })).statusCode).toBe(400);
  });

  it('are invited by a link that signs in once', async () => {
    const { link, id } = (await ask('invite', { name: 'Marie Curie', role: 'internal' })).json();
    const open = () => test.post('/api/arkid/invite/login/', { invite: link.split('#invite=')[1] });
    const { token } = (await open()).json();
    const profile = await test.get('/api/arkid/get_user_infor/', { token });
    expect(profile.json()).toMatchObject({ userid: id, name: 'Marie Curie', user_type: 2 });
    expect((await open()).json()).toMatchObject({ code: 'invite.expired' });
    expect(await lastAudit()).toMatchObject({ event: 'login', account_id: id });
  });

  it('are deleted as they could delete themselves', async () => {
    const { id, token } = await somebody('13400000004');
    expect(await codeOf('person/delete', { id })).toEqual(done);
    expect(await codeOf('person', { id })).toEqual([404, 'operate.not-found']);
    expect(await idOf('13400000004')).toBeNull();
    expect((await test.get('/api/arkid/get_user_infor/', { token })).statusCode).toBe(401);
  });

  it('who are not there are said not to be', async () => {
    for (const path of ['block', 'unblock', 'sessions', 'factor', 'delete'])
      expect([path, await codeOf(`person/${path}`, { id: UNKNOWN })]).toEqual([
        path,
        [404, 'operate.not-found'],
      ]);
    expect(await codeOf('person/role', { id: UNKNOWN, role: 'administrator' })).toEqual([
      404,
      'operate.not-found',
    ]);
    expect(await codeOf('person/quota', { id: UNKNOWN, daily_limit: 1 })).toEqual([404, 'operate.not-found']);
    expect(await codeOf('invite', { id: UNKNOWN })).toEqual([404, 'operate.not-found']);
  });
});

describe('privileges', () => {
  it('the last administrator stays one: no role, no block, no deletion takes them', async () => {
    expect(await codeOf('person/role', { id: me, role: 'common' })).toEqual([
      200,
      'account.last-administrator',
    ]);
    expect(await codeOf('invite', { id: me, role: 'common' })).toEqual([200, 'operate.other-administrator']);
    expect(await codeOf('person/block', { id: me })).toEqual([200, 'operate.yourself']);
    expect(await codeOf('person/delete', { id: me })).toEqual([200, 'operate.yourself']);
    expect((await ask('health')).statusCode).toBe(200);
  });

  it('of two administrators who take each other away at once, one stays', async () => {
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

  it('no other call makes an administrator', async () => {
    const { id, token } = await somebody('13400000005');
    for (const field of ['is_administrator', 'user_type', 'role', 'isAdministrator']) {
      const answer = await test.post('/api/arkid/change_infor/', { name: 'x', [field]: true }, { token });
      expect([field, answer.statusCode]).toEqual([field, 400]);
    }
    // Groups of a directory make internal and common users, and leave administrators alone.
    const accounts = accountRepository(test.database);
    expect(await accounts.setUserType(id, 2)).toBe(1);
    expect(await accounts.setUserType(me, 1)).toBeNull();
    const { rows } = await test.database.pool.query('SELECT id FROM account WHERE is_administrator');
    expect(rows).toEqual([{ id: me }]);
    await expect(
      test.database.pool.query('UPDATE account SET user_type = 1 WHERE id = $1', [me]),
    ).rejects.toThrow(/account_administrators_are_internal/);
  });

  it('a second factor that is demanded of internal users is demanded of administrators', async () => {
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
  it('are listed, cancelled and queued again, each once and in the log', async () => {
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

  it('start or wait as an administrator says', async () => {
    await ask('drain', { draining: true });
    expect((await ask('submissions')).json().is_draining).toBe(true);
    expect(await lastAudit()).toMatchObject({ actor_id: me, event: 'run4u-drained' });
    await ask('drain', { draining: false });
    expect((await ask('submissions')).json().is_draining).toBe(false);
  });
});

describe('the catalogue and the queue', () => {
  it('say what is under way, what was read and what it moved', async () => {
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

  it('list jobs and take out those that wait', async () => {
    const { openQueue } = await import('../../infra/queue.ts');
    const { run4uWake } = await import('@unitcell/contract');
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

describe('the site', () => {
  it('tells every part of itself', async () => {
    const { parts } = (await ask('health')).json();
    const stateOf = Object.fromEntries(
      parts.map(({ part, state }: { part: string; state: string }) => [part, state]),
    );
    // An empty test site: no worker, no material, no replica; all else serves.
    expect(stateOf).toMatchObject({
      database: 'well',
      replica: 'off',
      workers: 'down',
      catalogue: 'down',
      api: 'well',
    });
    const database = parts.find(({ part }: { part: string }) => part === 'database');
    expect(Number.parseInt(database.facts.version, 10)).toBeGreaterThanOrEqual(15);
  });

  it('has its texts edited by one at a time, checked and seen by everybody', async () => {
    const body = { markdown: '# Terms\n\nBe kind. <script>alert(1)</script>' };
    const { html } = (await ask('text/preview', { locale: 'en', ...body })).json();
    expect(html).toContain('Be kind.');
    expect(html).not.toContain('<script>');
    const saved = (await ask('text/save', { slug: 'terms', locale: 'en', body, based_on: null })).json();
    expect(saved.error).toBe('false');
    expect(await lastAudit()).toMatchObject({
      actor_id: me,
      event: 'content-changed',
      detail: { slug: 'terms' },
    });
    const seen = await test.get('/api/about/get_data/', { language: 'en' });
    expect(seen.json().user_agreement).toContain('Be kind.');
    const again = { slug: 'terms', locale: 'en', body, based_on: saved.updated_at };
    expect(await codeOf('text/save', again)).toEqual(done);
    expect(await codeOf('text/save', again)).toEqual([200, 'operate.text-changed']);
    expect(await codeOf('text/save', { ...again, based_on: null })).toEqual([200, 'operate.text-changed']);
    const bad = {
      slug: 'about',
      locale: 'zh',
      body: { news: [{ title: 'x', link: 'javascript:alert(1)' }] },
      based_on: null,
    };
    const refused = (await ask('text/save', bad, { language: 'zh' })).json();
    expect(refused).toMatchObject({
      code: 'operate.text-invalid',
      message: expect.stringContaining('news.0.link'),
    });
  });

  it('lists keys without showing them, and ends them', async () => {
    const { id, key } = await apiKeys(test.database).create({
      accountId: me,
      label: 'to be ended',
      scopes: ['matdata'],
      expiresAt: new Date(Date.now() + 86_400_000),
      ratePerMinute: 5,
    });
    const listed = await ask('keys');
    expect(listed.json().keys[0]).toMatchObject({
      id,
      label: 'to be ended',
      state: 'active',
      account_id: me,
    });
    expect(listed.body).not.toContain(key);
    expect(await codeOf('key/revoke', { id })).toEqual(done);
    expect((await test.get('/api/arkid/get_user_infor/', { token: key })).statusCode).toBe(401);
    expect(await codeOf('key/revoke', { id })).toEqual([404, 'operate.not-found']);
  });

  it('shows limits in the language asked for, settings without secrets, and what it weighs', async () => {
    const english = (await ask('budgets')).json();
    const chinese = (await ask('budgets', {}, { language: 'zh' })).json();
    expect(english.limits[0]).toMatchObject({ variable: 'LIMIT_THREADS' });
    expect(chinese.limits.every(({ meaning }: { meaning: string }) => /[一-鿿]/.test(meaning))).toBe(true);
    expect(JSON.stringify(english)).not.toContain(test.config.jwtSecret);
    const storage = (await ask('storage')).json();
    expect(storage.database_bytes).toBeGreaterThan(1e6);
    expect(storage.tables.map(({ name }: { name: string }) => name)).toContain('material');
  });

  it('shows when backups are made, and whether the newest could be restored', async () => {
    const { pool } = test.database;
    expect((await ask('backups')).json()).toMatchObject({ schedule: null, backups: [] });
    await pool.query(`INSERT INTO backup_schedule (id, pattern, keep) VALUES (1, '15 2 * * *', 14)`);
    await pool.query(
      `INSERT INTO backup (file, is_scheduled, is_encrypted, finished_at, bytes, sha256, verified_at, verify_seconds, problem)
       VALUES ('a.backup.gz', true, false, now(), 3500000000, 'aa', now(), 3, ''), ('b.backup.gz', false, false, NULL, NULL, NULL, NULL, NULL, 'no space left')`,
    );
    const { schedule, backups } = (await ask('backups')).json();
    expect(schedule).toMatchObject({ pattern: '15 2 * * *', keep: 14 });
    expect(backups).toMatchObject([
      { file: 'b.backup.gz', bytes: null, verified_at: null, problem: 'no space left' },
      { file: 'a.backup.gz', bytes: 3_500_000_000, verified_at: expect.stringMatching(/Z$/), problem: '' },
    ]);
  });

  it('pages through the audit log by person, administrator, event and time', async () => {
    const { rows, events } = (await ask('audit', { actor: me, event: 'key-revoked' })).json();
    expect(rows).toMatchObject([{ event: 'key-revoked', actor_id: me, account_id: me }]);
    expect(events).toContain('account-blocked');
    const all = (await ask('audit')).json().rows;
    const older = (await ask('audit', { before: all[0].id })).json().rows;
    expect(older[0].id).toBe(all[1].id);
    expect((await ask('audit', { since: '2100-01-01T00:00:00Z' })).json().rows).toEqual([]);
  });
});
