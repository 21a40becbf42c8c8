import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployMigrations } from '../prisma/deploy.mjs';
import { ensureDatabase, withClient, withDatabase } from './lib/database.mjs';
import { openCluster } from './lib/postgres.mjs';

// The embedded server of `npm start`, in a directory closed to everybody else and with a space in its name.

let home;
let cluster;
let server;

beforeAll(async () => {
  home = join(mkdtempSync(join(tmpdir(), 'unitcell-postgres-')), 'my data');
  mkdirSync(home, { mode: 0o700 });
  cluster = openCluster(home, { name: 'database', durable: false });
  server = await cluster.start();
});

afterAll(async () => {
  await cluster.stop();
  for (const path of [dirname(home), cluster.directory]) rmSync(path, { recursive: true, force: true });
});

describe('the embedded server', () => {
  it('is PostgreSQL 18 with UTF-8 and a password', async () => {
    const { rows } = await withClient(server.url('postgres'), (client) =>
      client.query(
        "SELECT current_setting('server_version_num')::int / 10000 AS major, lower('ÄÖ') AS folded",
      ),
    );
    expect(rows).toEqual([{ major: 18, folded: 'äö' }]);
    const open = new URL(server.url('postgres'));
    open.password = 'wrong';
    await expect(withClient(open.href, (client) => client.query('SELECT 1'))).rejects.toThrow(
      'password authentication',
    );
  });

  it('is adopted, with its data, by whoever comes next', async () => {
    await ensureDatabase(server.url('postgres'), 'kept');
    const again = await openCluster(home, { name: 'database', durable: false }).start();
    expect(again.adopted).toBe(true);
    expect(again.url('kept')).toBe(server.url('kept'));
  });

  it('keeps running until its last user leaves', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
    writeFileSync(join(home, 'database', 'users', String(other.pid)), '');
    expect(await cluster.stop()).toBe(false);
    expect(cluster.current('postgres')).toBe(server.url('postgres'));
    other.kill();
    await new Promise((done) => {
      other.on('close', done);
    });
    await cluster.start();
    expect(await cluster.stop()).toBe(true);
    expect(cluster.current('postgres')).toBeUndefined();
    server = await cluster.start();
  });
});

describe('deployMigrations', () => {
  let directory;
  const migration = (name, sql) => {
    mkdirSync(join(directory, name), { recursive: true });
    writeFileSync(join(directory, name, 'migration.sql'), sql);
  };
  const fresh = async (name) => {
    directory = mkdtempSync(join(home, 'migrations-'));
    await ensureDatabase(server.url('postgres'), name);
    return withDatabase(server.url('postgres'), name);
  };
  const tables = (url) =>
    withClient(url, async (client) => {
      const { rows } = await client.query(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
      );
      return rows.map((row) => row.table_name);
    });

  it('applies what is missing, once, also when two run together', async () => {
    const url = await fresh('concurrent');
    migration('1_a', 'CREATE TABLE a (id int); SELECT pg_sleep(0.2);');
    migration('2_b', 'CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END; $$;');
    const both = await Promise.all([
      deployMigrations(url, { directory }),
      deployMigrations(url, { directory }),
    ]);
    expect(both.flat().sort()).toEqual(['1_a', '2_b']);
    expect(await deployMigrations(url, { directory })).toEqual([]);
    expect(await tables(url)).toEqual(['_prisma_migrations', 'a']);
  });

  it('rolls a failing migration back whole and keeps the earlier ones', async () => {
    const url = await fresh('failing');
    migration('1_a', 'CREATE TABLE a (id int);');
    migration('2_b', 'CREATE TABLE b (id int); SELECT no_such_function();');
    await expect(deployMigrations(url, { directory })).rejects.toThrow('2_b failed and was rolled back');
    expect(await tables(url)).toEqual(['_prisma_migrations', 'a']);
  });

  it('refuses a migration that was edited after it was applied', async () => {
    const url = await fresh('edited');
    migration('1_a', 'CREATE TABLE a (id int);');
    await deployMigrations(url, { directory });
    const file = join(directory, '1_a', 'migration.sql');
    writeFileSync(file, `${readFileSync(file, 'utf8')}-- later\n`);
    await expect(deployMigrations(url, { directory })).rejects.toThrow('1_a was edited after it was applied');
  });
});
