/**
 * The whole detail answer of a material: `BENCH_DATABASE_URL=postgresql://…/database node --import tsx workshop/bench/detail.ts`.
 *
 * The database is one with full entries (a seeded one will do); unless it has 300,000 of them, its entries are repeated into
 * `unitcell_bench_detail` first (full-entries.ts; BENCH_AS_IS=1 measures the database as it is). Starts the API on loopback and
 * asks for different materials one after the other, so that no answer comes from a cache of its own. A JSON line for all
 * materials and one for those with a band structure, the largest answers there are.
 */
import { fullEntries } from './full-entries.ts';
import { type OwnApi, post, quantile, startOwnApi } from './own-api.ts';
import { pg } from './pg-from-api.ts';

const REQUESTS = 1000;
const WARM_UP = 100;
/** Spreads the materials asked for over the whole table: coprime to any count that is not its multiple. */
const STRIDE = 7919;

const givenUrl = process.env.BENCH_DATABASE_URL ?? '';
if (givenUrl === '')
  throw new Error('BENCH_DATABASE_URL is not set: name a database with full entries, postgresql://…/name');
const databaseUrl = process.env.BENCH_AS_IS === '1' ? givenUrl : await fullEntries(givenUrl);

async function structIds(table: 'material_structure' | 'band_structure'): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(`SELECT DISTINCT struct_id FROM ${table} ORDER BY struct_id`);
  await client.end();
  return rows.map((row) => row.struct_id as number);
}

async function measure(what: string, ids: readonly number[], api: OwnApi): Promise<void> {
  const times: number[] = [];
  let bytes = 0;
  let cpuBefore = 0;
  for (let index = 0; index < WARM_UP + REQUESTS; index++) {
    const struct_id = ids[(index * STRIDE) % ids.length] ?? 0;
    if (index === WARM_UP) cpuBefore = api.cpuMs();
    const { milliseconds, body } = await post(api, '/api/matdata/get_struct_detail/', { struct_id });
    if (index < WARM_UP) continue;
    times.push(milliseconds);
    bytes += body.length;
  }
  console.log(
    JSON.stringify({
      bench: 'detail',
      what,
      materials: ids.length,
      requests: REQUESTS,
      meanKilobytes: Number((bytes / REQUESTS / 1000).toFixed(1)),
      p50Ms: quantile(times, 0.5),
      p95Ms: quantile(times, 0.95),
      p99Ms: quantile(times, 0.99),
      apiCpuMsEach: Number(((api.cpuMs() - cpuBefore) / REQUESTS).toFixed(2)),
    }),
  );
}

const api = await startOwnApi(databaseUrl);
try {
  await measure('all materials', await structIds('material_structure'), api);
  const withBands = await structIds('band_structure');
  if (withBands.length > 0) await measure('materials with a band structure', withBands, api);
} finally {
  await api.stop();
}
