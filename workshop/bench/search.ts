/**
 * Searches on 300,000 materials: `node --import tsx workshop/bench/search.ts`.
 *
 * Builds the database once (kept as `unitcell_bench_300k` on the server of BENCH_DATABASE_URL, or of a temporary embedded
 * server), starts the API on loopback, and measures from another process: latencies one request at a time, throughput with 50
 * clients, each beside the same SQL through `pg`. One JSON line a case.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { deployMigrations } from '@unitcell/tools/migrations';
import { startTestPostgres } from '@unitcell/tools/test-postgres';
import { startOwnApi } from './own-api.ts';
import { copyFrom, pg } from './pg-from-api.ts';
import { copyLine, SCALE_COLUMNS, scaleRows } from './scale-rows.ts';

const ROWS = 300_000;
/** Set BENCH_DATABASE to measure on a database that is there, as it is. */
const DATABASE = process.env.BENCH_DATABASE ?? 'unitcell_bench_300k';

/** A search, and the SQL that answers it. */
interface Case {
  readonly name: string;
  readonly path: string;
  readonly include: string;
  readonly sql: string;
  readonly values: readonly unknown[];
}

const COLUMNS = `struct_id, formula, space_group, formation_energy_per_atom, energy_above_hull, band_gap, nsites, fermi_energy,
  crystal_system, lattice_type, has_band, is_hubbard, has_hse, has_epsilon, has_piezo, has_elastic`;
const select = (where: string): string =>
  `SELECT ${COLUMNS} FROM material WHERE ${where} ORDER BY energy_above_hull, struct_id LIMIT 10001`;

const CASES: readonly Case[] = [
  {
    name: 'exact system Li-Fe-O',
    path: 'elements',
    include: 'Li-Fe-O',
    sql: select('chemical_system = $1'),
    values: ['Fe-Li-O'],
  },
  {
    name: 'exact system Ti-O',
    path: 'elements',
    include: 'Ti-O',
    sql: select('chemical_system = $1'),
    values: ['O-Ti'],
  },
  {
    name: 'wildcard Li-Fe-P-O-*',
    path: 'elements',
    include: 'Li-Fe-P-O-*',
    sql: select('elements @> $1::text[]'),
    values: [['Fe', 'Li', 'O', 'P']],
  },
  {
    name: 'formula TiO2',
    path: 'formula',
    include: 'TiO2',
    sql: select('formula_reduced = $1'),
    values: ['TiO2'],
  },
  {
    name: 'id 126096',
    path: 'struct_id',
    include: '126096',
    sql: select('struct_id = $1'),
    values: [126_096],
  },
  {
    name: 'wildcard O-* (10,000 rows)',
    path: 'elements',
    include: 'O-*',
    sql: select('elements @> $1::text[]'),
    values: [['O']],
  },
];

async function ensureDatabase(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl);
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
  if (!rowCount) await admin.query(`CREATE DATABASE ${DATABASE}`);
  await admin.end();
  url.pathname = `/${DATABASE}`;
  await deployMigrations(url.href);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query('SELECT count(*)::int AS count FROM material');
  if (process.env.BENCH_DATABASE === undefined && Number(rows[0].count) < ROWS) {
    await client.query('TRUNCATE material CASCADE');
    const lines = Readable.from(
      (async function* () {
        for await (const row of scaleRows(ROWS)) yield `${copyLine(row)}\n`;
      })(),
    );
    await pipeline(lines, client.query(copyFrom(`COPY material (${SCALE_COLUMNS}) FROM STDIN`)));
    await client.query('VACUUM ANALYZE material');
  }
  await client.end();
  return url.href;
}

/** Runs the measuring client in a process of its own and answers what it printed. */
async function measure(task: object): Promise<Record<string, number>> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', new URL('./search-client.ts', import.meta.url).pathname],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  child.stdin.end(JSON.stringify(task));
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(child, 'close');
  return JSON.parse(text) as Record<string, number>;
}

const server = process.env.BENCH_DATABASE_URL
  ? { url: process.env.BENCH_DATABASE_URL, stop: async () => undefined }
  : await startTestPostgres();
const databaseUrl = await ensureDatabase(server.url);
const api = await startOwnApi(databaseUrl);
try {
  for (const { name, path, include, sql, values } of CASES) {
    const http = {
      kind: 'http',
      url: api.url,
      token: api.token,
      path: `/api/matdata/search_by_${path}/`,
      body: { include },
    };
    const bare = { kind: 'pg', url: databaseUrl, sql, values };
    const isLarge = name.includes('10,000');
    const latency = { mode: 'latency', requests: isLarge ? 60 : 300 };
    const cpuBefore = api.cpuMs();
    const ours = await measure({ ...http, ...latency });
    const cpuMs = api.cpuMs() - cpuBefore;
    const theirs = await measure({ ...bare, ...latency });
    const load = { mode: 'throughput', clients: 50, seconds: isLarge ? 8 : 4 };
    const oursLoad = await measure({ ...http, ...load });
    const theirsLoad = await measure({ ...bare, ...load });
    console.log(
      JSON.stringify({
        case: name,
        rows: ours.rows,
        apiP50Ms: ours.p50,
        apiP95Ms: ours.p95,
        apiCpuMsEach: Number((cpuMs / latency.requests).toFixed(2)),
        pgP50Ms: theirs.p50,
        pgP95Ms: theirs.p95,
        p50Ratio: Number((ours.p50 / theirs.p50).toFixed(2)),
        apiPerSecond: oursLoad.perSecond,
        pgPerSecond: theirsLoad.perSecond,
        throughputShare: Number((oursLoad.perSecond / theirsLoad.perSecond).toFixed(2)),
      }),
    );
  }
} finally {
  await api.stop();
  await server.stop();
}
