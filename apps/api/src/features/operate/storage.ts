/** Storage use: tables of the database, and the folders of UNITCELL_HOME. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Database } from '../../infra/database.ts';
import { checkedRows } from '../../infra/sql.ts';

const figure = z.coerce.number();

const TABLES = `
  SELECT CASE WHEN n.nspname = 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END AS name,
         pg_total_relation_size(c.oid) AS bytes,
         -- -1 until the table is analysed, which a table of a few rows never is.
         (CASE WHEN c.reltuples < 0 THEN pg_stat_get_live_tuples(c.oid) ELSE c.reltuples END)::bigint AS rows
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg_toast%'
  ORDER BY 2 DESC LIMIT 60`;

/** Sizes of tables with indexes and TOAST. Row counts are the server's estimates. */
async function tableSizes({ pool }: Pick<Database, 'pool'>) {
  const client = await pool.connect();
  try {
    const tables = await checkedRows(
      client,
      TABLES,
      z.object({ name: z.string(), bytes: figure, rows: figure }),
    );
    const [whole] = await checkedRows(
      client,
      'SELECT pg_database_size(current_database()) AS bytes',
      z.object({ bytes: figure }),
    );
    return { tables, bytes: whole?.bytes ?? 0 };
  } finally {
    client.release();
  }
}

// ── The folders ──

/** Largest number of counted files. Scratch folders may contain millions; then "more than" is shown. */
const MAX_FILES = 50_000;

interface FolderSize {
  readonly name: string;
  readonly bytes: number;
  readonly files: number;
  readonly is_more: boolean;
}

/** Files in a folder and its subfolders, without following links. Files that vanish meanwhile count as 0 bytes. */
async function sizeOf(folder: string, name: string): Promise<FolderSize> {
  let [bytes, files] = [0, 0];
  const open = [folder];
  for (let next = open.pop(); next !== undefined && files < MAX_FILES; next = open.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    const within = next;
    open.push(...entries.filter((entry) => entry.isDirectory()).map((entry) => join(within, entry.name)));
    // The calls are parallel: on a busy machine sequential calls would wait for each of thousands of files.
    const found = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .slice(0, MAX_FILES - files)
        .map((entry) => stat(join(within, entry.name)).catch(() => null)),
    );
    files += found.length;
    for (const file of found) bytes += file?.size ?? 0;
  }
  return { name, bytes, files, is_more: files >= MAX_FILES };
}

/** Free space on the disk of a folder; null where it is unknown. */
export async function diskSpaceOf(folder: string): Promise<{ free: number; total: number } | null> {
  const found = await statfs(folder).catch(() => null);
  return found && { free: found.bavail * found.bsize, total: found.blocks * found.bsize };
}

export const operatedStorage = (database: Pick<Database, 'pool'>, home: string) => async () => {
  const entries = await readdir(home, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const [{ tables, bytes }, disk, ...folders] = await Promise.all([
    tableSizes(database),
    diskSpaceOf(home),
    ...names.map((name) => sizeOf(join(home, name), name)),
  ]);
  return {
    database_bytes: bytes,
    tables,
    folders: folders.sort((a, b) => b.bytes - a.bytes),
    home,
    disk,
  };
};
