/** What the database weighs, by the server's own books. */
import { z } from 'zod';
import type { Database } from '../../infra/database.ts';
import { checkedRows } from '../../infra/sql.ts';

const bytes = z.coerce.number();

const TABLES = `
  SELECT CASE WHEN n.nspname = 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END AS name,
         pg_total_relation_size(c.oid) AS bytes, greatest(c.reltuples, 0)::bigint AS rows
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg_toast%'
  ORDER BY 2 DESC LIMIT 60`;

/** With indexes and what is stored aside; rows as the server last estimated them. */
export async function tableSizes({ pool }: Pick<Database, 'pool'>) {
  const client = await pool.connect();
  try {
    const tables = await checkedRows(client, TABLES, z.object({ name: z.string(), bytes, rows: bytes }));
    const [whole] = await checkedRows(
      client,
      'SELECT pg_database_size(current_database()) AS bytes',
      z.object({ bytes }),
    );
    return { tables, bytes: whole?.bytes ?? 0 };
  } finally {
    client.release();
  }
}
