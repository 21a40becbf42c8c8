/**
 * Phase diagrams over HTTP: the time of one request, cold (the catalogue has just changed) and cached.
 *
 *   node --import tsx scripts/bench/phase-api.ts --url http://127.0.0.1:3000 --token TOKEN --database postgresql://… "Li Fe P O" [more systems]
 *
 * The server runs already, on that database; TOKEN is what `npm run -s unitcell -- token --mobile 13800000000` prints. Before each
 * cold request the change of the catalogue is announced, which empties every cache. Two cold requests warm the thread up.
 */
import { parseArgs } from 'node:util';
import { withClient } from '../lib/database.mjs';

const ROUNDS = 40;
const WARM_UP = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, token: { type: 'string' }, database: { type: 'string' } },
});
const { url, token, database } = values;
if (!url || !token || !database || positionals.length === 0) {
  process.stderr.write('usage: phase-api.ts --url URL --token TOKEN --database URL SYSTEM …\n');
  process.exit(2);
}

interface Client {
  query(text: string): Promise<unknown>;
}

async function request(include: string): Promise<{ readonly milliseconds: number; readonly text: string }> {
  const start = performance.now();
  const response = await fetch(`${url}/api/phase_diagram/phase_diagram_handle/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `token ${token}`, 'accept-language': 'en' },
    body: JSON.stringify({ include }),
  });
  const text = await response.text();
  return { milliseconds: performance.now() - start, text };
}

const quantile = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(1);

const summary = (times: number[]): string => {
  const sorted = times.sort((a, b) => a - b);
  return `p50 ${quantile(sorted, 0.5)} ms, p95 ${quantile(sorted, 0.95)} ms, max ${quantile(sorted, 1)} ms`;
};

async function forget(client: Client): Promise<void> {
  await client.query("SELECT pg_notify('catalogue_changed', '')");
  // The announcement travels on a connection of its own.
  await new Promise((resolve) => setTimeout(resolve, 30));
}

async function measure(client: Client, system: string): Promise<void> {
  const cold: number[] = [];
  const cached: number[] = [];
  let points = 0;
  let kilobytes = 0;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    await forget(client);
    const first = await request(system);
    const second = await request(system);
    const answer = JSON.parse(first.text) as { message?: string; data?: { name: string; x: number[] }[] };
    if (!answer.data) throw new Error(`${system}: ${answer.message ?? 'no data'}`);
    points = answer.data.slice(-2).reduce((sum, series) => sum + series.x.length, 0);
    kilobytes = Math.round(first.text.length / 1024);
    if (round < 0) continue;
    cold.push(first.milliseconds);
    cached.push(second.milliseconds);
  }
  process.stdout.write(
    `${system}: ${points} phases, ${kilobytes} kB\n  cold   ${summary(cold)}\n  cached ${summary(cached)}\n`,
  );
}

await withClient(database, async (client: Client) => {
  for (const system of positionals) await measure(client, system);
});
