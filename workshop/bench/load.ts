/**
 * Reads, calculations, pattern searches and pages by 10, 200 and 800 concurrent clients (`--clients
 * 10,200,800`) over loopback, on a seeded database: answers per second, refusals (503), other statuses,
 * latencies of answers and of `/api/health` during the load, and the memory of the api. In a good run,
 * requests are answered, or refused about a second after they came or after five seconds in the queue.
 */
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { halite, matchOf, type Reading, readings } from '../visit.ts';
import { ask, membersOf, operate, type OwnApi, print, quantile, withApi, withDatabase } from './harness.ts';

const SECONDS = 25;
/** Number of active members, as on a busy day. The limit on concurrent requests applies per member. */
const MEMBERS = 100;
const METRICS_TOKEN = 'benchmark-metrics-token';
const { values } = parseArgs({ options: { clients: { type: 'string', default: '10,200,800' } } });
const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

async function round(
  api: OwnApi,
  members: readonly string[],
  connections: number,
  ids: readonly number[],
): Promise<void> {
  const times: Record<number, number[]> = {};
  const health = autocannon({
    url: `${api.url}/api/health`,
    connections: 1,
    overallRate: 5,
    duration: SECONDS,
  });
  let turns = 0;
  const match: Reading = { name: 'match', path: '/api/xrd/xrd_match/', body: matchOf(halite()) };
  const requests = [...readings(ids), match].map(
    (one): autocannon.Request => ({
      path: one.path,
      ...(one.body ? { method: 'POST', body: JSON.stringify(one.body) } : { method: 'GET' }),
      // Each request of the mix comes from a different member.
      setupRequest: (request) => ({
        ...request,
        headers: {
          ...(one.body ? { 'content-type': 'application/json' } : {}),
          authorization: `token ${members[turns++ % MEMBERS]}`,
        },
      }),
    }),
  );
  const options = { url: api.url, connections, duration: SECONDS, timeout: 60, requests };
  const run = autocannon(options, () => undefined);
  run.on('response', (_client, status, _bytes, ms) => void (times[status] ??= []).push(ms));
  const { errors, duration } = await new Promise<autocannon.Result>((resolve) => run.on('done', resolve));
  const { 200: answered = [], 503: refused = [], ...others } = times;
  const metrics = await fetch(`${api.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(await metrics.text())?.[1];
  const healthy = await health;
  print({
    case: `${connections} clients`,
    answersPerSecond: Math.round(answered.length / duration),
    refused: refused.length,
    refusedP50Ms: quantile(refused, 0.5),
    refusedP99Ms: quantile(refused, 0.99),
    connectionErrors: errors,
    otherStatuses: Object.fromEntries(
      Object.entries(others).map(([status, found]) => [status, found.length]),
    ),
    p50Ms: quantile(answered, 0.5),
    p95Ms: quantile(answered, 0.95),
    p99Ms: quantile(answered, 0.99),
    healthP50Ms: healthy.latency.p50,
    healthP99Ms: healthy.latency.p99,
    healthFailures: healthy.non2xx + healthy.errors,
    memoryMib: Math.round(Number(bytes) / 2 ** 20),
    machineLoad: loadavg()[0],
  });
}

await withDatabase(async (url) => {
  await operate(url, 'seed', '--from', path('seed-data'));
  await withApi(url, { METRICS_TOKEN, WEB_DIST: path('apps/web/dist') }, async (api) => {
    const members = await membersOf(url, MEMBERS);
    const found = await ask(api, '/api/matdata/search_by_elements/', { include: 'O-*' });
    const { results } = JSON.parse(found.toString()) as { results: [number][] };
    const ids = results.slice(0, 40).map(([id]) => id);
    for (const clients of values.clients.split(',')) await round(api, members, Number(clients), ids);
  });
});
