/**
 * The whole detail answer of a material: `BENCH_DATABASE_URL=postgresql://…/database node --import tsx scripts/bench/detail.ts`.
 *
 * The database is one with full entries (a seeded one will do); unless it has 300,000 of them, its entries are repeated into
 * `unitcell_bench_detail` first (full-entries.ts; BENCH_AS_IS=1 measures the database as it is). Starts the API on loopback and
 * asks for different materials one after the other, so that no answer comes from a cache of its own. A JSON line for all
 * materials and one for those with a band structure, the largest answers there are.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { fullEntries } from './full-entries.ts';
import { pg } from './pg-from-api.ts';

const REQUESTS = 1000;
const WARM_UP = 100;
const PORT = '41989';
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

function run(entry: string, ...argv: string[]) {
  const script = new URL(`../../apps/api/src/${entry}`, import.meta.url).pathname;
  return spawn(process.execPath, ['--import', 'tsx', script, ...argv], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      JWT_SECRET: 'benchmark-secret-benchmark-secret-0001',
      PORT,
      LOG_LEVEL: 'warn',
    },
    cwd: new URL('../../apps/api/', import.meta.url).pathname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function tokenOf(): Promise<string> {
  const child = run('cli.ts', 'token', '--mobile', '13800000000');
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await once(child, 'close');
  return printed.trim().split('\n').at(-1) ?? '';
}

async function untilHealthy(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isUp = await fetch(`http://127.0.0.1:${PORT}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isUp) return;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error('the API did not become ready');
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** One request; the bytes of its answer. */
function ask(structId: number, token: string): Promise<number> {
  const payload = JSON.stringify({ struct_id: structId });
  return new Promise((resolve, reject) => {
    const sent = request(
      `http://127.0.0.1:${PORT}/api/matdata/get_struct_detail/`,
      {
        method: 'POST',
        agent,
        headers: {
          authorization: `token ${token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        },
      },
      (answer) => {
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`HTTP ${answer.statusCode}`)),
        );
      },
    );
    sent.on('error', reject);
    sent.end(payload);
  });
}

const quantile = (sorted: readonly number[], share: number): number =>
  Number((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(2));

/** Clock ticks of Linux, per second. */
const TICKS = 100;

/** CPU time of a process in ms, of all its threads; NaN where there is no /proc. Unlike a latency it does not grow with other work. */
function cpuMs(pid: number | undefined): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const fields = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}

async function measure(
  what: string,
  ids: readonly number[],
  { token, pid }: { token: string; pid: number | undefined },
): Promise<void> {
  const times: number[] = [];
  let bytes = 0;
  let cpuBefore = 0;
  for (let index = 0; index < WARM_UP + REQUESTS; index++) {
    const structId = ids[(index * STRIDE) % ids.length] ?? 0;
    if (index === WARM_UP) cpuBefore = cpuMs(pid);
    const start = performance.now();
    const size = await ask(structId, token);
    if (index < WARM_UP) continue;
    times.push(performance.now() - start);
    bytes += size;
  }
  times.sort((a, b) => a - b);
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
      apiCpuMsEach: Number(((cpuMs(pid) - cpuBefore) / REQUESTS).toFixed(2)),
    }),
  );
}

const token = await tokenOf();
const api = run('main.ts');
try {
  await untilHealthy();
  await measure('all materials', await structIds('material_structure'), { token, pid: api.pid });
  const withBands = await structIds('band_structure');
  if (withBands.length > 0)
    await measure('materials with a band structure', withBands, { token, pid: api.pid });
} finally {
  agent.destroy();
  api.kill('SIGTERM');
  await once(api, 'close');
}
