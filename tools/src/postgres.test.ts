import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployMigrations } from './migrations.ts';
import { ensureDatabase, withClient, withDatabase } from './database.ts';
import { superviseDatabase } from './supervise.ts';
import { type Cluster, type Server, openCluster } from './postgres.ts';
import { explain } from '../lib/user-error.mjs';

// The embedded server of `npm start`, in a private directory with a space in its name.

let home: string;
let cluster: Cluster;
let server: Server;

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

  it('keeps its log readable only by its own account', () => {
    expect(statSync(join(cluster.directory, 'log')).mode & 0o777).toBe(0o600);
  });

  it('is adopted with its data by the next process', async () => {
    await ensureDatabase(server.url('postgres'), 'kept');
    const again = await openCluster(home, { name: 'database', durable: false }).start();
    expect(again.adopted).toBe(true);
    expect(again.url('kept')).toBe(server.url('kept'));
  });

  it('keeps running until its last user leaves, and begins a new log if the old one is large', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
    writeFileSync(join(home, 'database', 'users', String(other.pid)), '');
    expect(await cluster.stop()).toBe(false);
    expect(cluster.isServerAlive()).toBe(true);
    other.kill();
    await once(other, 'close');
    await cluster.start();
    expect(await cluster.stop()).toBe(true);
    expect(cluster.isServerAlive()).toBe(false);
    truncateSync(cluster.log, 11 * 1024 * 1024);
    server = await cluster.start();
    expect(statSync(cluster.log).size).toBeLessThan(1024 * 1024);
    expect(statSync(`${cluster.log}.1`).size).toBe(11 * 1024 * 1024);
  });
});

describe('superviseDatabase', () => {
  const pidFile = () => readFileSync(join(cluster.directory, 'data/postmaster.pid'), 'utf8').split('\n');
  const answers = () =>
    withClient(server.url('postgres'), (client) => client.query('SELECT 1')).then(
      () => true,
      () => false,
    );

  it('restarts a killed server on its port', async () => {
    const said: string[] = [];
    const supervisor = superviseDatabase(cluster, server.port, (line) => said.push(line));
    const [pid] = pidFile();
    process.kill(Number(pid), 'SIGKILL');
    await expect.poll(() => said.at(-1)).toContain('PostgreSQL is running again');
    expect(await answers()).toBe(true);
    expect(pidFile()[0]).not.toBe(pid);
    await supervisor.stop();
  });

  it('moves a large log aside while the server runs and goes on writing', async () => {
    const supervisor = superviseDatabase(cluster, server.port, () => undefined);
    truncateSync(cluster.log, 12 * 1024 * 1024);
    await expect.poll(() => statSync(cluster.log).size).toBeLessThan(1024 * 1024);
    await supervisor.stop();
    expect(statSync(`${cluster.log}.1`).size).toBe(12 * 1024 * 1024);
    await withClient(server.url('postgres'), (client) => client.query('SELECT missing')).catch(() => null);
    expect(readFileSync(cluster.log, 'utf8')).toMatch(/^.*ERROR: .*"missing" does not exist/);
  });

  it('fails with an explanation when it cannot restart the server', async () => {
    const log = join(home, 'server.log');
    writeFileSync(log, 'FATAL: no\n');
    const failing = { isServerAlive: () => false, start: async () => Promise.reject(new Error('no')), log };
    const tries: string[] = [];
    const { lost } = superviseDatabase(failing, 5555, (line) => tries.push(line), { firstWaitMs: 1 });
    expect((await lost).message).toBe(
      `PostgreSQL stopped and could not be restarted on port 5555. Log: ${log}\nFATAL: no`,
    );
    expect(tries.filter((line) => line.includes('has not started yet'))).toHaveLength(6);
  });

  it('waits for disk space indefinitely, and reports this once', async () => {
    let [starts, isAlive] = [0, false];
    const full = {
      isServerAlive: () => isAlive,
      // The disk stays full for more checks than the attempts that are allowed when there is space.
      hasRoom: () => starts > 20,
      async start(port: number) {
        starts += 1;
        if (starts < 22)
          throw new Error('could not write to file "pg_wal/xlogtemp": No space left on device');
        isAlive = true;
        return { port };
      },
      log: join(home, 'server.log'),
    };
    const said: string[] = [];
    const options = { firstWaitMs: 1, hasRoom: full.hasRoom };
    const supervisor = superviseDatabase(full, 5555, (line) => said.push(line), options);
    await expect.poll(() => said.at(-1)).toContain('PostgreSQL is running again');
    expect(said.filter((line) => line.includes('database disk is full'))).toHaveLength(1);
    await supervisor.stop();
  });
});

describe('deployMigrations', () => {
  let directory: string;
  const migration = (name: string, sql: string) => {
    mkdirSync(join(directory, name), { recursive: true });
    writeFileSync(join(directory, name, 'migration.sql'), sql);
  };
  const fresh = async (name: string) => {
    directory = mkdtempSync(join(home, 'migrations-'));
    await ensureDatabase(server.url('postgres'), name);
    return withDatabase(server.url('postgres'), name);
  };
  const tables = (url: string) =>
    withClient(url, async (client) => {
      const { rows } = await client.query<{ table_name: string }>(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
      );
      return rows.map((row) => row.table_name);
    });

  it('applies missing migrations once, also when two processes run together', async () => {
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

  it('rolls a failing migration back completely and keeps the earlier ones', async () => {
    const url = await fresh('failing');
    migration('1_a', 'CREATE TABLE a (id int);');
    migration('2_b', 'CREATE TABLE b (id int); SELECT no_such_function();');
    await expect(deployMigrations(url, { directory })).rejects.toThrow('2_b failed and was rolled back');
    expect(await tables(url)).toEqual(['_prisma_migrations', 'a']);
  });

  it('refuses a database migrated by a newer version, unless forced', async () => {
    const url = await fresh('newer');
    migration('1_a', 'CREATE TABLE a (id int);');
    migration('2_b', 'CREATE TABLE b (id int);');
    await deployMigrations(url, { directory });
    rmSync(join(directory, '2_b'), { recursive: true });
    const refused = await deployMigrations(url, { directory }).catch((error: unknown) => error);
    expect(explain(refused)).toMatch(
      /^The database was migrated by a newer version of Unitcell \(it has 2_b,/,
    );
    expect(await deployMigrations(url, { directory, force: true })).toEqual([]);
  });

  it('waits for a table in use without blocking other sessions for long', async () => {
    const url = await fresh('in_use');
    migration('1_a', 'CREATE TABLE a (id int);');
    await deployMigrations(url, { directory });
    migration('2_b', 'ALTER TABLE a ADD COLUMN b int;');
    const columns = (client: pg.Client) =>
      client.query('SELECT * FROM a').then(({ fields }) => fields.map(({ name }) => name));
    await withClient(url, async (export_) => {
      await export_.query('BEGIN');
      await export_.query('SELECT count(*) FROM a');
      const reasons: string[] = [];
      let triedThrice: () => void = () => undefined;
      const thrice = new Promise<void>((resolve) => (triedThrice = resolve));
      const applied = deployMigrations(url, {
        directory,
        lockMilliseconds: 50,
        onWait(reason) {
          reasons.push(reason);
          if (reasons.length === 3) triedThrice();
        },
      });
      await thrice;
      // Another query runs between two attempts, while the long transaction still holds the table.
      await withClient(url, async (visitor) => {
        await visitor.query("SET statement_timeout = '60s'");
        expect(await columns(visitor)).toEqual(['id']);
      });
      expect(reasons[0]).toMatch(
        /^migration 2_b is waiting for tables that are in use: SELECT count\(\*\) FROM a \(process \d+, since /,
      );
      await export_.query('COMMIT');
      expect(await applied).toEqual(['2_b']);
    });
    await withClient(url, async (client) => expect(await columns(client)).toEqual(['id', 'b']));
  });

  it('gives up on a table that stays in use, with an explanation and without changes', async () => {
    const url = await fresh('stays_in_use');
    migration('1_a', 'CREATE TABLE a (id int);');
    await deployMigrations(url, { directory });
    migration('2_b', 'CREATE TABLE c (id int); ALTER TABLE a ADD COLUMN b int;');
    await withClient(url, async (reader) => {
      await reader.query('BEGIN');
      await reader.query('SELECT * FROM a');
      const tried = deployMigrations(url, { directory, lockMilliseconds: 50, timeoutMilliseconds: 0 });
      await expect(tried).rejects.toThrow(
        /migration 2_b is waiting for tables that are in use: .*Nothing was changed/,
      );
      await reader.query('COMMIT');
    });
    expect(await tables(url)).toEqual(['_prisma_migrations', 'a']);
    expect(await deployMigrations(url, { directory })).toEqual(['2_b']);
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
