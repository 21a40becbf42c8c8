/**
 * Tests a full database disk: reads continue, writes are refused with a message and leave no partial changes.
 * Freeing space is enough to continue.
 */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { rutile, storeMaterials } from '../testing/material-factory.ts';

/** Tables whose rows are redirected to a device that is always full (SQLSTATE 53100). */
const WRITTEN = ['account', 'session', 'submission', 'xrd_match'];

// Only Linux has this device.
describe.skipIf(!existsSync('/dev/full'))('a full disk of the database', () => {
  let test: TestApp;
  let token: string;

  const fill = () =>
    test.database.pool.query(
      `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN COPY (SELECT 1) TO '/dev/full'; RETURN NEW; END $$;` +
        WRITTEN.map(
          (table) =>
            `CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION no_room();`,
        ).join(''),
    );
  const makeRoom = () => test.database.pool.query('DROP FUNCTION IF EXISTS no_room CASCADE');

  beforeAll(async () => {
    test = await buildTestApp();
    await storeMaterials(test.database, [rutile('Ti', 4.594, 2.959, { struct_id: 3 })]);
    token = await test.signIn();
  });
  beforeEach(makeRoom);
  afterAll(() => test.close());

  const structure = {
    lattice: {
      matrix: [
        [0, 2.8, 2.8],
        [2.8, 0, 2.8],
        [2.8, 2.8, 0],
      ],
    },
    sites: [
      { species: [{ element: 'Na', occu: 1 }], abc: [0, 0, 0] },
      { species: [{ element: 'Cl', occu: 1 }], abc: [0.5, 0.5, 0.5] },
    ],
  };

  it.each([
    ['a change of the profile', '/api/arkid/change_infor/', { name: 'Lin' }],
    ['a submission', '/api/run4u/run4u_submit/', { submit: true, structure }],
  ])(
    '%s is refused with a message while the disk is full, and succeeds when there is room',
    async (_, path, body) => {
      await fill();
      const refused = await test.post(path, body, { token });
      expect(refused.statusCode).toBe(507);
      expect(refused.json()).toMatchObject({ error: 'true', code: 'server.disk-full' });
      expect(refused.json<{ message: string }>().message).toContain('no disk space left');
      await makeRoom();
      const { rows } = await test.database.pool.query(
        'SELECT (SELECT name FROM account) AS name, (SELECT count(*)::int FROM submission) AS submissions',
      );
      expect(rows).toEqual([{ name: '', submissions: 0 }]);
      const done = await test.post(path, body, { token });
      expect([done.statusCode, done.json<{ error: string }>().error]).toEqual([200, 'false']);
      await test.database.pool.query(`UPDATE account SET name = ''; DELETE FROM submission`);
    },
  );

  it('reading continues, also for members whose last use cannot be recorded', async () => {
    await test.database.pool.query(`UPDATE session SET last_used_at = now() - interval '1 hour'`);
    await fill();
    // The second process has not cached the session.
    const url = test.config.databaseUrl;
    const other = await buildTestApp({ openDatabaseOf: async () => ({ url, drop: async () => undefined }) });
    try {
      const found = await other.post('/api/matdata/search_by_formula/', { include: 'TiO2' }, { token });
      expect(found.statusCode).toBe(200);
      expect((await other.get('/api/arkid/get_user_infor/', { token })).statusCode).toBe(200);
      expect((await other.get('/api/ready')).statusCode).toBe(200);
    } finally {
      await other.close();
    }
  });
});
