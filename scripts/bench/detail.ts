/**
 * The whole detail answer of a material: `BENCH_DATABASE_URL=postgresql://…/database node --import tsx scripts/bench/detail.ts`.
 *
 * Measures an existing, migrated database with full entries (structures, not search rows only): starts the API on loopback and
 * asks for different materials one after the other, so that no answer comes from a cache of its own. One JSON line.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { pg } from './pg-from-api.ts';

const REQUESTS = 1000;
const WARM_UP = 100;
const PORT = '41989';
/** Spreads the materials asked for over the whole table: coprime to any count that is not its multiple. */
const STRIDE = 7919;

const databaseUrl = process.env.BENCH_DATABASE_URL ?? '';
if (databaseUrl === '')
  throw new Error('BENCH_DATABASE_URL is not set: name a database with full entries, postgresql://…/name');

async function structIds(): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('SELECT struct_id FROM material_structure ORDER BY struct_id');
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

const ids = await structIds();
const token = await tokenOf();
const api = run('main.ts');
try {
  await untilHealthy();
  const times: number[] = [];
  let bytes = 0;
  for (let index = 0; index < WARM_UP + REQUESTS; index++) {
    const structId = ids[(index * STRIDE) % ids.length] ?? 0;
    const start = performance.now();
    const size = await ask(structId, token);
    if (index < WARM_UP) continue;
    times.push(performance.now() - start);
    bytes += size;
  }
  times.sort((a, b) => a - b);
  const result = {
    materials: ids.length,
    requests: REQUESTS,
    meanKilobytes: Number((bytes / REQUESTS / 1000).toFixed(1)),
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    p99Ms: quantile(times, 0.99),
  };
  console.log(JSON.stringify(result));
} finally {
  agent.destroy();
  api.kill('SIGTERM');
  await once(api, 'close');
}
