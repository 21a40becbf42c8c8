import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { importLine } from '@unitcell/contract/import-line';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportRows, toImportLine } from '../../catalogue/export/export-materials.ts';
import type { Database } from '../../infra/database.ts';
import { element, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { backup, BackupRefused, newBackupKey, restore } from './backup.ts';

const open: Database[] = [];
let folder: string;
let pictures: string;

async function newDatabase(): Promise<Database> {
  const database = await openTestDatabase();
  open.push(database);
  return database;
}

let original: Database;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unitcell-backup-'));
  pictures = join(folder, 'avatars');
  original = await newDatabase();
  await storeMaterials(original, [
    element('Ti', 2.9, { formation_energy_per_atom: undefined, energy: -7.8 }),
    element('O', 3, { formation_energy_per_atom: undefined, energy: -4.9 }),
    rutile('Ti', 4.594, 2.959, {
      energy: -54,
      names: { en: 'rutile\twith a tab', zh: '金红石' },
      band_gap: 1.8,
    }),
    rockSalt('Ti', 'O', 4.18, {
      energy: -68,
      provenance: { remark: 'back\\slash\nand line\rand return\u2028and separators\u2029' },
    }),
  ]);
  await original.pool.query("INSERT INTO account (username, mobile) VALUES ('someone', '13800000000')");
});
afterAll(async () => {
  for (const database of open) await database.close();
  await rm(folder, { recursive: true });
});

const everything = async ({ pool }: Database) => {
  const tables = [
    'material',
    'material_structure',
    'material_energy',
    'powder_pattern',
    'account',
    'release',
  ];
  return Promise.all(
    tables.map(async (table) => (await pool.query(`SELECT * FROM ${table} ORDER BY 1, 2`)).rows),
  );
};

describe('backup and restore', () => {
  it('restore every row, and new ids continue after the largest restored id', async () => {
    const file = join(folder, 'all.backup.gz');
    await backup(original.pool, file, { pictures: pictures, key: null });
    const other = await newDatabase();
    await storeMaterials(other, [rockSalt('Na', 'Cl', 5.64)]);
    await restore(other.pool, file, { pictures: pictures, key: null });
    expect(await everything(other)).toEqual(await everything(original));
    const { rows } = await other.pool.query("INSERT INTO account (username) VALUES ('next') RETURNING id");
    expect(rows[0].id).toBe(2);
  });

  it('leave out momentary data: after a restore no work is in progress', async () => {
    const other = await newDatabase();
    await other.pool.query(`INSERT INTO shared_task (kind, input) VALUES ('hulls', '{}')`);
    const file = join(folder, 'moment.backup.gz');
    await backup(other.pool, file, { pictures, key: null });
    const text = gunzipSync(await readFile(file)).toString('utf8');
    expect(text).toContain('COPY "material" FROM stdin;');
    for (const table of ['shared_task', 'work_progress', 'xrd_match'])
      expect(text).not.toContain(`"${table}"`);
    await restore(original.pool, file, { pictures, key: null });
    expect((await original.pool.query('SELECT FROM material')).rowCount).toBe(0);
    await restore(original.pool, join(folder, 'all.backup.gz'), { pictures, key: null });
    expect((await original.pool.query('SELECT FROM material')).rowCount).toBe(4);
  });

  it('end all sessions, keep API keys, and revive no key that was revoked after the backup', async () => {
    const { pool } = await newDatabase();
    const place = { pictures, key: null };
    await pool.query(`INSERT INTO account (id, username) VALUES (7, 'keyed')`);
    await pool.query(`INSERT INTO api_key (account_id, label, prefix, key_hash, scopes, rate_per_minute, expires_at)
      SELECT 7, hash, hash, hash::bytea, '{all}', 60, now() + interval '1 day' FROM unnest('{kept,leaked}'::text[]) AS hash`);
    await pool.query(
      "INSERT INTO session (id, account_id, expires_at) VALUES (gen_random_uuid(), 7, now() + interval '1 day')",
    );
    const file = join(folder, 'keys.backup.gz');
    await backup(pool, file, place);
    const text = gunzipSync(await readFile(file)).toString('utf8');
    const older = join(folder, 'older.backup.gz');
    const session = '8d4e4e6c-5c1b-4f0e-9d5e-3f1d2b6a7c80\t7\t2026-11-21\t2026-11-21\t2126-11-21\t\\N\t\t\tf';
    await writeFile(older, gzipSync(`${text}COPY "session" FROM stdin;\n${session}\n\\.\n`));
    await pool.query("UPDATE api_key SET revoked_at = now() WHERE label = 'leaked'");
    for (const each of [file, older]) {
      await restore(pool, each, place);
      const { rows } = await pool.query(
        'SELECT label, revoked_at IS NULL AS works FROM api_key ORDER BY label',
      );
      expect(rows).toEqual([
        { label: 'kept', works: true },
        { label: 'leaked', works: false },
      ]);
      expect((await pool.query('SELECT FROM session')).rowCount).toBe(0);
    }
    // A new machine does not know which keys were revoked after the backup.
    const other = await newDatabase();
    await restore(other.pool, file, place);
    expect((await other.pool.query('SELECT FROM api_key WHERE revoked_at IS NULL')).rowCount).toBe(2);
  });

  it('unblock no account and restore no role that was taken away after the backup', async () => {
    const { pool } = await newDatabase();
    await pool.query(`INSERT INTO account (id, username, user_type, is_administrator) VALUES
      (1, 'blocked', 1, false), (2, 'demoted', 2, true), (3, 'common now', 2, true), (4, 'deleted', 2, true), (5, 'kept', 2, true), (6, 'promoted', 1, false)`);
    const file = join(folder, 'roles.backup.gz');
    await backup(pool, file, { pictures, key: null });
    await pool.query(`UPDATE account SET blocked_at = '2026-11-27' WHERE id = 1;
      UPDATE account SET is_administrator = false WHERE id IN (2, 3, 4);
      UPDATE account SET user_type = 1 WHERE id = 3;
      UPDATE account SET deleted_at = now(), username = 'deleted_4' WHERE id = 4;
      UPDATE account SET user_type = 2, is_administrator = true WHERE id = 6`);
    const rights = async (on: Database['pool']) =>
      (
        await on.query(
          'SELECT username, blocked_at IS NOT NULL AS b, user_type AS t, is_administrator AS a FROM account ORDER BY id',
        )
      ).rows.map(({ username, b, t, a }) => [username, b, t, a]);
    await restore(pool, file, { pictures, key: null });
    const kept = ['kept', false, 2, true];
    const promoted = ['promoted', false, 1, false];
    expect(await rights(pool)).toEqual([
      ['blocked', true, 1, false],
      ['demoted', false, 2, false],
      ['common now', false, 1, false],
      ['deleted', false, 1, false],
      kept,
      promoted,
    ]);
    // In another installation these ids belong to other accounts.
    const other = await newDatabase();
    await other.pool.query(
      "INSERT INTO account (id, username, created_at) VALUES (2, 'x', '2026-01-01'), (5, 'y', '2026-01-01')",
    );
    await restore(other.pool, file, { pictures, key: null });
    expect(await rights(other.pool)).toEqual([
      ['blocked', false, 1, false],
      ['demoted', false, 2, true],
      ['common now', false, 2, true],
      ['deleted', false, 2, true],
      kept,
      promoted,
    ]);
  });

  it('restore no number or identity that an account lost after the backup, and no invitation', async () => {
    const { pool } = await newDatabase();
    await pool.query(`INSERT INTO account (id, username, mobile) VALUES
      (1, 'kept', '13800000001'), (2, 'moved', '13800000002'), (3, 'deleted', '13800000003');
      INSERT INTO social_account (account_id, provider, provider_user_id) VALUES (1, 'github', 'a'), (1, 'wechat', 'b'), (3, 'github', 'c');
      INSERT INTO sign_in_handle (handle_hash, kind, browser_hash, account_id, data, expires_at)
        VALUES ('x', 'invite', 'x', 1, '{}', now() + interval '1 day')`);
    const file = join(folder, 'numbers.backup.gz');
    await backup(pool, file, { pictures, key: null });
    await pool.query(`UPDATE account SET mobile = '13800000009' WHERE id = 2;
      UPDATE account SET mobile = NULL, deleted_at = now(), username = 'deleted_3' WHERE id = 3;
      DELETE FROM social_account WHERE provider_user_id <> 'a';
      UPDATE sign_in_handle SET consumed_at = now()`);
    const waysIn = async (on: Database['pool']) =>
      (
        await on.query(
          'SELECT username, mobile, (SELECT array_agg(provider) FROM social_account WHERE account_id = account.id) FROM account ORDER BY id',
        )
      ).rows.map(Object.values);
    await restore(pool, file, { pictures, key: null });
    expect(await waysIn(pool)).toEqual([
      ['kept', '13800000001', ['github']],
      ['moved', null, null],
      ['deleted', null, null],
    ]);
    expect((await pool.query('SELECT FROM sign_in_handle')).rowCount).toBe(0);
    // A new machine does not know which numbers and identities were removed after the backup.
    const other = await newDatabase();
    await restore(other.pool, file, { pictures, key: null });
    expect(await waysIn(other.pool)).toEqual([
      ['kept', '13800000001', ['github', 'wechat']],
      ['moved', '13800000002', null],
      ['deleted', '13800000003', ['github']],
    ]);
    expect((await other.pool.query('SELECT FROM sign_in_handle')).rowCount).toBe(0);
  });

  it('leave the database unchanged when the backup file is damaged or from another version', async () => {
    const file = join(folder, 'whole.backup.gz');
    await backup(original.pool, file, { pictures: pictures, key: null });
    const text = gunzipSync(await readFile(file)).toString('utf8');
    const before = await everything(original);
    const damaged: [string, RegExp][] = [
      [text.slice(0, text.length / 2), /ends in the middle|damaged|missing data/],
      [text.replace('-- migrations ', '-- migrations 1999_older,'), /another version/],
      ['hello', /not a backup/],
    ];
    for (const [content, message] of damaged) {
      await writeFile(file, gzipSync(content));
      await expect(restore(original.pool, file, { pictures: pictures, key: null })).rejects.toThrow(message);
    }
    expect(await everything(original)).toEqual(before);
  });
});

describe('a backup that cannot be written', () => {
  it.each([false, true])('ends with the reason (encrypted: %s)', async (isEncrypted) => {
    const key = isEncrypted ? await newBackupKey() : null;
    const file = join(folder, 'not-a-folder');
    await writeFile(file, '');
    await expect(backup(original.pool, join(file, 'x'), { pictures, key })).rejects.toThrow('ENOTDIR');
    const unreadable = backup(original.pool, join(folder, 'x.gz'), { pictures: file, key });
    await expect(unreadable).rejects.toThrow('ENOTDIR');
  });
});

describe('profile pictures', () => {
  const name = `${'0a'.repeat(16)}-${'1b'.repeat(8)}.webp`;

  it("are in the backup and are restored to the site's folder", async () => {
    const from = join(folder, 'here', 'avatars');
    await mkdir(from, { recursive: true });
    const bytes = Buffer.from(Array.from({ length: 999 }, (_, i) => i % 256));
    await writeFile(join(from, name), bytes);
    await writeFile(join(from, 'half-written.tmp'), 'x');
    const file = join(folder, 'pictures.backup.gz');
    await backup(original.pool, file, { pictures: from, key: null });
    const other = await newDatabase();
    const to = join(folder, 'there', 'avatars');
    await restore(other.pool, file, { pictures: to, key: null });
    expect(await readdir(to)).toEqual([name]);
    expect(await readFile(join(to, name))).toEqual(bytes);
    expect(await readdir(join(to, '..'))).toEqual(['avatars']);
  });

  it.each(['../../outside.webp', `/${name}`, `${name}/../x`])(
    'cannot leave their folder as %s',
    async (path) => {
      const file = join(folder, 'hostile.backup.gz');
      await backup(original.pool, file, { pictures: pictures, key: null });
      const text = gunzipSync(await readFile(file)).toString('utf8');
      await writeFile(file, gzipSync(`${text}-- picture ${path} AAAA\n`));
      await expect(restore(original.pool, file, { pictures: pictures, key: null })).rejects.toThrow(
        /is damaged/,
      );
      expect(await readdir(folder)).not.toContain('outside.webp');
    },
  );
});

describe('a truncated backup', () => {
  it.each([0.02, 0.5, 0.98])(
    'cut at %f of its length is refused with a message and changes nothing',
    async (part) => {
      const file = join(folder, 'cut.backup.gz');
      await backup(original.pool, file, { pictures: pictures, key: null });
      const bytes = await readFile(file);
      await writeFile(file, bytes.subarray(0, Math.floor(bytes.length * part)));
      const before = await everything(original);
      await expect(restore(original.pool, file, { pictures: pictures, key: null })).rejects.toThrow(
        BackupRefused,
      );
      expect(await everything(original)).toEqual(before);
    },
  );
});

describe('catalogue export', () => {
  it('writes lines that give the same materials and hulls when imported', async () => {
    const lines: object[] = [];
    for await (const row of exportRows(original)) lines.push(toImportLine(row));
    for (const line of lines) expect(importLine.safeParse(line).error).toBeUndefined();
    const copy = await newDatabase();
    await storeMaterials(copy, JSON.parse(JSON.stringify(lines)) as object[]);
    const energies =
      'SELECT struct_id, functional, formation_energy_per_atom, energy_above_hull FROM material_energy ORDER BY 1';
    const [a, b] = [await original.pool.query(energies), await copy.pool.query(energies)];
    expect(b.rows).toHaveLength(4);
    for (const [i, row] of b.rows.entries()) {
      expect(row.struct_id).toBe(a.rows[i].struct_id);
      expect(row.energy_above_hull).toBeCloseTo(a.rows[i].energy_above_hull, 9);
    }
  });

  it('exports one chemical system and, on request, the systems within it', async () => {
    const count = async (filter: object): Promise<number> => {
      let found = 0;
      for await (const _row of exportRows(original, filter)) found++;
      return found;
    };
    expect(await count({ elements: ['Ti', 'O'] })).toBe(2);
    expect(await count({ elements: ['Ti', 'O'], withSubsystems: true })).toBe(4);
    expect(await count({ elements: ['Ti', 'Zr'] })).toBe(0);
  });
});
