/** Scheduled backups, verified by restoring. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployMigrations } from '@unitcell/tools/migrations';
import { createTestDatabase, type TestDatabase } from '@unitcell/tools/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../infra/database.ts';
import { element, rockSalt, storeMaterials } from '../../testing/material-factory.ts';
import { runUnitcell, spawnUnitcell } from '../../testing/run-unitcell.ts';
import { BackupRefused, newBackupKey, restore } from './backup.ts';
import { backups, isDue } from './backups.ts';

let made: TestDatabase;
let database: Database;
let home: string;
let key: string;
const picture = `${'0a'.repeat(16)}-${'1b'.repeat(8)}.webp`;

beforeAll(async () => {
  made = await createTestDatabase();
  database = openDatabase({ databaseUrl: made.url, databaseReadUrl: made.url }, () => undefined);
  home = await mkdtemp(join(tmpdir(), 'unitcell-drill-'));
  key = await newBackupKey();
  await storeMaterials(database, [element('Ti', 2.9), rockSalt('Na', 'Cl', 5.64), rockSalt('Mg', 'O', 4.2)]);
  await database.pool.query("INSERT INTO account (username, mobile) VALUES ('someone', '13800000000')");
  await database.pool.query(
    `INSERT INTO content (slug, locale, body) VALUES ('home', 'en', '{"text": "a\\\\tb"}') ON CONFLICT DO NOTHING`,
  );
  await mkdir(join(home, 'avatars'), { recursive: true });
  await writeFile(
    join(home, 'avatars', picture),
    Buffer.from(Array.from({ length: 999 }, (_, i) => i % 256)),
  );
});
afterAll(async () => {
  await database.close();
  await made.drop();
  await rm(home, { recursive: true });
});

const open = (folder: string, ownKey: string | null = null) =>
  backups({
    config: {
      home,
      backup: { directory: join(home, folder), key: ownKey },
      databaseUrl: made.url,
      timeZone: 'Asia/Shanghai',
    },
    database,
    migrate: (url) => deployMigrations(url),
  });

describe('a backup', () => {
  it('is verified by restoring it, including pictures and texts, and leaves no scratch database', async () => {
    const row = await open('plain').makeNow();
    expect(row).toMatchObject({ problem: '', isEncrypted: false, isScheduled: false });
    expect(row.verifiedAt).not.toBeNull();
    const found = await open('plain').verify(row);
    expect(found.rows).toBeGreaterThan(10);
    process.stdout.write(
      `drill: ${row.bytes} bytes, ${found.rows} rows of ${found.tables} tables restored and compared in ${found.seconds.toFixed(2)} s\n`,
    );
    const { rows } = await database.pool.query(
      "SELECT datname FROM pg_database WHERE datname LIKE 'unitcell_verify_%'",
    );
    expect(rows).toEqual([]);
  });

  it('drops a scratch database that is older than a day, but not a newer one', async () => {
    const old = `unitcell_verify_${Date.now() - 2 * 86_400_000}_0a`;
    const today = `unitcell_verify_${Date.now()}_0b`;
    for (const name of [old, today]) await database.pool.query(`CREATE DATABASE ${name}`);
    try {
      await open('scratch').makeNow();
      const { rows } = await database.pool.query('SELECT datname FROM pg_database WHERE datname = ANY($1)', [
        [old, today],
      ]);
      expect(rows).toEqual([{ datname: today }]);
    } finally {
      for (const name of [old, today]) await database.pool.query(`DROP DATABASE IF EXISTS ${name}`);
    }
  });

  it('that was changed on the disk is detected, with and without its stored hash', async () => {
    const own = open('changed');
    const row = await own.makeNow();
    const bytes = await readFile(own.pathOf(row));
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    await writeFile(own.pathOf(row), bytes);
    await expect(own.verify(row)).rejects.toThrow(/is not the file that was written/);
    expect((await own.repository.byId(row.id))?.problem).toMatch(/is not the file/);
  });

  it('is encrypted for the key and cannot be opened without it', async () => {
    const own = open('sealed', key);
    const row = await own.makeNow();
    expect(row).toMatchObject({ isEncrypted: true, problem: '' });
    const bytes = await readFile(own.pathOf(row));
    expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    const place = { pictures: join(home, 'avatars') };
    await expect(restore(database.pool, own.pathOf(row), { ...place, key: null })).rejects.toThrow(
      /is encrypted: set BACKUP_KEY/,
    );
    const other = await newBackupKey();
    await expect(restore(database.pool, own.pathOf(row), { ...place, key: other })).rejects.toThrow(
      /another key than BACKUP_KEY/,
    );
    bytes[bytes.length - 40]! ^= 1;
    await writeFile(own.pathOf(row), bytes);
    await expect(restore(database.pool, own.pathOf(row), { ...place, key })).rejects.toThrow(BackupRefused);
  });
});

describe('the backup schedule', () => {
  it.each([
    ['after its moment', '2026-11-22T18:20:00Z', null, true],
    ['before its moment', '2026-11-22T18:10:00Z', '2026-11-21T18:15:30Z', false],
    ['once it was made', '2026-11-22T18:20:00Z', '2026-11-22T18:15:30Z', false],
    ['when the moment was missed', '2026-11-23T09:00:00Z', '2026-11-21T18:15:30Z', true],
  ])('of 02:15 in Shanghai is due %s: %s', (_when, at, last, expected) => {
    const schedule = { pattern: '15 2 * * *', keep: 3, changedAt: new Date('2026-11-01T00:00:00Z') };
    const now = { timeZone: 'Asia/Shanghai', at: new Date(at), last: last === null ? null : new Date(last) };
    expect(isDue(schedule, now)).toBe(expected);
    expect(isDue({ ...schedule, changedAt: now.at }, now)).toBe(false);
  });

  it('makes a backup when it is due, marks interrupted backups, and keeps the newest backups', async () => {
    const own = open('nightly', key);
    expect(await own.makeDue()).toBeNull();
    await own.repository.setSchedule({ pattern: '0 0 1 1 *', keep: 2 });
    expect(await own.makeDue()).toBeNull();
    await database.pool.query("UPDATE backup_schedule SET changed_at = now() - interval '2 years'");
    const cut = await own.repository.begin({ file: 'cut-off.gz', isScheduled: false, isEncrypted: false });
    await mkdir(join(home, 'nightly'));
    await writeFile(join(home, 'nightly', 'cut-off.gz.part'), 'the begin');
    await own.repository.begin({ file: 'renamed.gz', isScheduled: false, isEncrypted: false });
    await writeFile(join(home, 'nightly', 'renamed.gz'), 'whole, but its end is not recorded');
    for (let round = 0; round < 3; round++) {
      expect(await own.makeDue()).toMatchObject({ isScheduled: true, problem: '' });
      expect(await own.makeDue()).toBeNull();
      await database.pool.query("UPDATE backup SET started_at = started_at - interval '2 years'");
    }
    expect((await own.repository.byId(cut))?.problem).toMatch(/ended while writing it/);
    expect(await readdir(join(home, 'nightly'))).toHaveLength(2);
    const kept = (await own.repository.list(10)).filter((row) => row.isScheduled && row.removedAt === null);
    expect(kept).toHaveLength(2);
  });

  it.each(['writing', 'verifying'])('repeats a backup once if it was killed while %s', async (phase) => {
    const own = open(`killed-${phase}`);
    await database.pool.query('TRUNCATE backup');
    await own.repository.setSchedule({ pattern: '0 0 1 1 *', keep: 2 });
    await database.pool.query("UPDATE backup_schedule SET changed_at = now() - interval '2 years'");
    const kill = async (): Promise<void> => {
      const id = await own.repository.begin({ file: 'x.gz', isScheduled: true, isEncrypted: false });
      if (phase === 'verifying') await own.repository.finish(id, { bytes: 1, sha256: '' });
    };
    await kill();
    const repeated = await own.makeDue();
    expect(repeated).toMatchObject({ isScheduled: true, problem: '' });
    const [, first] = await own.repository.list(2);
    expect(first?.problem).toBe(`the process ended while ${phase} it`);
    // The repetition was killed, too.
    await database.pool.query('DELETE FROM backup WHERE id = $1', [repeated!.id]);
    await kill();
    expect(await own.makeDue()).toBeNull();
  });

  it('is set by the command, which also lists and verifies backups', async () => {
    const config = { databaseUrl: made.url, jwtSecret: 'f1c9a0b27e6d4853bb0a6cf9d2e71408', home };
    expect(await runUnitcell(config, ['backup', 'schedule', '15 2 * * *', '--keep', '5'])).toMatch(
      /^15 2 \* \* \* \(Asia\/Shanghai\), the newest 5 kept in .*not encrypted/,
    );
    await expect(runUnitcell(config, ['backup', 'schedule', 'nightly'])).rejects.toThrow(/is not a time/);
    // Verifying starts the migration program, which is built into the folder of the command.
    const line = await spawnUnitcell(config, ['backup', 'now']);
    expect(line).toMatch(/verified .* s to restore/);
    expect(await runUnitcell(config, ['backup', 'list'])).toContain(line);
    const id = line.split('\t')[0]!;
    expect(await spawnUnitcell(config, ['backup', 'verify', id])).toMatch(/can be restored: \d+ rows/);
    const { rows } = await database.pool.query<{ event: string; address: string }>(
      "SELECT event, address FROM audit_log WHERE event LIKE 'backup-%' ORDER BY id",
    );
    expect(rows).toEqual([
      { event: 'backup-schedule-changed', address: 'command line' },
      { event: 'backup-asked', address: 'command line' },
    ]);
  });
});
