import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { readLimits } from '../../config/limits.ts';
import { avatars } from './avatars.service.ts';
import { housekeeping } from './account.feature.ts';

let test: TestApp;
const directory = mkdtempSync(join(tmpdir(), 'unitcell-housekeeping-'));
beforeAll(async () => {
  test = await buildTestApp();
});
afterAll(async () => {
  await test.close();
  rmSync(directory, { recursive: true });
});

it('housekeeping deletes expired rows and keeps all others', async () => {
  const token = await test.signIn();
  const { pool } = test.database;
  await pool.query(
    `INSERT INTO sms_code (mobile, purpose, code_hash, expires_at) VALUES ('1', 'login', '', now() - interval '2 days');
     INSERT INTO sign_in_handle (handle_hash, kind, browser_hash, expires_at) VALUES ('x', 'state', '', now() - interval '2 days');
     INSERT INTO rate_bucket (key, tokens, updated_at) VALUES ('old', 0, now() - interval '49 hours'), ('new', 0, now() - interval '47 hours');`,
  );
  const old = new Date(Date.now() - 2 * 86_400_000);
  const [unused, used, fresh] = ['a', 'b', 'c'].map(
    (letter) => `${letter.repeat(32)}-${letter.repeat(16)}.webp`,
  );
  for (const name of [unused!, used!, fresh!]) writeFileSync(join(directory, name), '');
  for (const name of [unused!, used!]) utimesSync(join(directory, name), old, old);
  await pool.query('UPDATE account SET avatar = $1', [`/api/arkid/avatars/${used}`]);

  const refresher = housekeeping({
    database: test.database,
    avatars: avatars({ directory, limits: readLimits({}), sealKey: Buffer.alloc(32) }),
    log: test.app.log as Parameters<typeof housekeeping>[0]['log'],
  });
  await refresher.sweep();

  const left = async (sql: string): Promise<unknown[]> =>
    (await pool.query({ text: sql, rowMode: 'array' })).rows.flat();
  expect(await left("SELECT mobile FROM sms_code WHERE mobile = '1'")).toEqual([]);
  expect(await left('SELECT kind FROM sign_in_handle')).toEqual([]);
  expect(await left("SELECT key FROM rate_bucket WHERE key IN ('old', 'new')")).toEqual(['new']);
  expect([unused!, used!, fresh!].map((name) => existsSync(join(directory, name)))).toEqual([
    false,
    true,
    true,
  ]);
  expect((await test.get('/api/arkid/get_user_infor/', { token })).statusCode).toBe(200);
});
