/** Operator calls about people and the site, and their entries in the audit log. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { apiKeys } from '../account/api-keys.ts';
import { done, operating, UNKNOWN } from '../../testing/operating.ts';

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

describe('people', () => {
  it('are found, blocked together with their sessions, and unblocked', async () => {
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
    // A search for a part of a number would reveal its masked digits one by one.
    expect((await ask('people', { search: '1340000000' })).json().people).toEqual([]);
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

  it('have sessions that can be listed and ended, one or all', async () => {
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

  it.each(['person/sessions', 'person/block'])(
    'cannot sign in by an earlier invitation after %s',
    async (path) => {
      const { link, id } = (await ask('invite', { name: 'Rosalind Franklin' })).json();
      const open = () => test.post('/api/arkid/invite/login/', { invite: link.split('#invite=')[1] });
      expect(await codeOf(path, { id })).toEqual(done);
      if (path === 'person/block') await ask('person/unblock', { id });
      expect((await open()).json()).toMatchObject({ code: 'invite.expired' });
    },
  );

  it('get a new role at once, and their own daily limit', async () => {
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

  it('are deleted with the same effects as if they had deleted their own accounts', async () => {
    const { id, token } = await somebody('13400000004');
    expect(await codeOf('person/delete', { id })).toEqual(done);
    expect(await codeOf('person', { id })).toEqual([404, 'operate.not-found']);
    expect(await idOf('13400000004')).toBeNull();
    expect((await test.get('/api/arkid/get_user_infor/', { token })).statusCode).toBe(401);
  });

  it('are not found if they do not exist', async () => {
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

describe('the site', () => {
  it('reports the state of every part', async () => {
    const { parts } = (await ask('health')).json();
    const stateOf = Object.fromEntries(
      parts.map(({ part, state }: { part: string; state: string }) => [part, state]),
    );
    // The empty test site has no worker, no material and no replica; everything else works.
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

  it('has texts that are validated when edited, refused if someone else changed them meanwhile, and then shown to everybody', async () => {
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

  it('lists keys without their secrets, and ends them', async () => {
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

  it('shows limits in the requested language, settings without secrets, and storage sizes', async () => {
    const english = (await ask('budgets')).json();
    const chinese = (await ask('budgets', {}, { language: 'zh' })).json();
    expect(english.limits[0]).toMatchObject({ variable: 'LIMIT_THREADS' });
    expect(chinese.limits.every(({ meaning }: { meaning: string }) => /[一-鿿]/.test(meaning))).toBe(true);
    expect(JSON.stringify(english)).not.toContain(test.config.jwtSecret);
    const storage = (await ask('storage')).json();
    expect(storage.database_bytes).toBeGreaterThan(1e6);
    expect(storage.tables.map(({ name }: { name: string }) => name)).toContain('material');
  });

  it('shows the rows of a table that PostgreSQL has not analysed yet', async () => {
    const client = await test.database.pool.connect();
    try {
      await client.query(`CREATE TABLE filled AS SELECT repeat('x', 100) FROM generate_series(1, 4000)`);
      await client.query('SELECT pg_stat_force_next_flush()');
      const { tables } = (await ask('storage')).json();
      expect(tables).toContainEqual(expect.objectContaining({ name: 'filled', rows: 4000 }));
    } finally {
      await client.query('DROP TABLE filled');
      client.release();
    }
  });

  it('shows the backup schedule, and whether each backup was verified', async () => {
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

  it('starts backups, changes their schedule and logs the administrator', async () => {
    await test.database.pool.query('DELETE FROM backup_schedule');
    expect(await codeOf('backup/now')).toEqual(done);
    expect(await lastAudit()).toMatchObject({ actor_id: me, event: 'backup-asked' });
    expect(await codeOf('backup/now')).toEqual(done);
    const waiting = (await ask('queue')).json<{ jobs: { name: string }[] }>().jobs;
    expect(waiting.filter(({ name }) => name === 'backup.make')).toHaveLength(1);

    expect(await codeOf('backup/schedule', { pattern: '15 2 * * 0', keep: 5 })).toEqual(done);
    expect(await lastAudit()).toMatchObject({
      actor_id: me,
      event: 'backup-schedule-changed',
      detail: { pattern: '15 2 * * 0', keep: 5 },
    });
    const { schedule, time_zone: zone } = (await ask('backups')).json();
    expect([schedule.pattern, schedule.keep, zone]).toEqual(['15 2 * * 0', 5, 'Asia/Shanghai']);
    // 02:15 of a Sunday in Shanghai is 18:15 of a Saturday in UTC.
    const next = new Date(schedule.next_at);
    expect([next.getUTCDay(), next.getUTCHours(), next.getUTCMinutes()]).toEqual([6, 18, 15]);

    const wrong = { pattern: '99 2 * * *', keep: 5 };
    expect(await codeOf('backup/schedule', wrong)).toEqual([200, 'operate.backup-time']);
    expect((await ask('backup/schedule', wrong, { language: 'zh' })).json().message).toContain('99 2 * * *');
    expect(await codeOf('backup/schedule', { pattern: '15 2 * * 0', keep: 0 })).toEqual([
      400,
      'request.invalid',
    ]);
    expect((await ask('backups')).json().schedule).toMatchObject({ pattern: '15 2 * * 0', keep: 5 });
    expect(await codeOf('backup/schedule', { pattern: null })).toEqual(done);
    expect((await ask('backups')).json().schedule).toBeNull();
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
