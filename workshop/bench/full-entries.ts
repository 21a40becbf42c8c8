/**
 * A database of 300,000 materials with everything stored of them (cells, energies, bands, tensors), for the detail benchmark:
 * the entries of a given database, repeated under new ids. Load only, never data.
 */
import { pg, type PgClient } from './pg-from-api.ts';

const ROWS = 300_000;
const DATABASE = 'unitcell_bench_detail';

/** Tables of what a material has, in the order their keys ask for. */
const TABLES = [
  'material',
  'material_structure',
  'material_energy',
  'band_structure',
  'density_of_states',
  'elastic_tensor',
  'dielectric_tensor',
  'piezoelectric_tensor',
  'topology',
];

async function withClient<T>(connectionString: string, run: (client: PgClient) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

/** What a column of copy k holds: new ids and hashes, everything else as it was. */
function expressionOf(column: string): string {
  if (column === 'struct_id') return 'struct_id + copy.k * $1::int';
  if (column === 'content_hash') return "sha256(content_hash || convert_to(copy.k::text, 'UTF8'))";
  return `"${column}"`;
}

async function multiply(client: PgClient): Promise<void> {
  const { rows } = await client.query('SELECT count(*)::int AS count, max(struct_id) AS last FROM material');
  const { count, last } = rows[0] as { count: number; last: number };
  const copies = Math.ceil(ROWS / count) - 1;
  for (const table of TABLES) {
    const columns = (
      await client.query('SELECT column_name FROM information_schema.columns WHERE table_name = $1', [table])
    ).rows.map((row) => row.column_name as string);
    await client.query(
      `INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join(', ')})
       SELECT ${columns.map(expressionOf).join(', ')} FROM ${table}, generate_series(1, $2::int) AS copy (k)
       WHERE struct_id <= $1`,
      [last, copies],
    );
  }
  await client.query('VACUUM ANALYZE');
}

/**
 * The address of a database with at least 300,000 full entries: the one given when it has them, otherwise a copy of it on the
 * same server, made once and kept as `unitcell_bench_detail`. Making it needs the given one to be without connections.
 */
export async function fullEntries(databaseUrl: string): Promise<string> {
  const stored = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('SELECT count(*)::int AS count FROM material_structure');
    return rows[0].count as number;
  });
  if (stored === 0) throw new Error('the database of BENCH_DATABASE_URL has no entries: seed it first');
  if (stored >= ROWS) return databaseUrl;
  const source = new URL(databaseUrl);
  const target = new URL(databaseUrl);
  target.pathname = `/${DATABASE}`;
  const server = new URL(databaseUrl);
  server.pathname = '/postgres';
  const isNew = await withClient(server.href, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount) return false;
    await client.query(`CREATE DATABASE ${DATABASE} TEMPLATE "${source.pathname.slice(1)}"`);
    return true;
  });
  if (isNew) await withClient(target.href, multiply);
  return target.href;
}
