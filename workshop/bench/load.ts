/**
 * `npm run bench -- load [--clients 10,200,800]`: reads, calculations, searches by pattern and pages by 10, 200 and 800 clients at once over loopback, on a seeded database of its own.
 * A JSON line for each: answers a second, refusals (503), other errors, latencies of what was answered, the latencies of
 * `/api/health` meanwhile, and the memory of the api. A good run refuses in milliseconds what it cannot answer in time.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { membersOf, openOwnDatabase, operate, startOwnApi } from './own-api.ts';

const SECONDS = 25;
const { values } = parseArgs({ options: { clients: { type: 'string', default: '10,200,800' } } });
const ROUNDS = values.clients.split(',').map((clients) => ({ clients: Number(clients), seconds: SECONDS }));
const HEALTH_EVERY_MILLISECONDS = 200;
/** What one member may have under way at once is limited: as many as a busy day has. */
const MEMBERS = 100;
const METRICS_TOKEN = 'benchmark-metrics-token';

const database = await openOwnDatabase();
const seedData = new URL('../../seed-data', import.meta.url).pathname;
await operate(database.url, 'seed', '--from', seedData);
const api = await startOwnApi(database.url, {
  METRICS_TOKEN,
  WEB_DIST: new URL('../../apps/web/dist', import.meta.url).pathname,
});

const members = await membersOf(database.url, MEMBERS);
let turns = 0;
/** Each request of the mix is another member's. */
const authorization = () => `token ${members[turns++ % MEMBERS]}`;
const post = (path: string, body: object): autocannon.Request => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const get = (path: string): autocannon.Request => ({ method: 'GET', path });

const searched = await fetch(`${api.url}/api/matdata/search_by_elements/`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `token ${api.token}` },
  body: JSON.stringify({ include: 'O-*' }),
});
const { results } = (await searched.json()) as { results: [number][] };
const structIds = results.slice(0, 40).map(([structId]) => structId);

/** Seven lines of halite, 20° to 80°. */
const HALITE = (() => {
  const lines = [27.35, 31.69, 45.45, 53.86, 56.47, 66.22, 75.29];
  const x = Array.from({ length: 601 }, (_, i) => 20 + i / 10);
  const y = x.map((at) => lines.reduce((sum, line) => sum + 100 * Math.exp(-(((at - line) / 0.15) ** 2)), 2));
  return { x, y, name: 'pristine', background_removed: true };
})();

const MIX: autocannon.Request[] = [
  ...['Ti-O', 'Li-O-*', 'Fe-*', 'Na-Cl'].map((include) =>
    post('/api/matdata/search_by_elements/', { include }),
  ),
  ...['TiO2', 'LiCoO2', 'Fe2O3'].map((include) => post('/api/matdata/search_by_formula/', { include })),
  ...structIds.map((structId) => post('/api/matdata/get_struct_detail/', { struct_id: structId })),
  ...structIds.slice(0, 10).map((structId) => post('/api/matdata/get_xrd_handle/', { struct_id: structId })),
  ...['Li O', 'Ti O', 'Li Fe O', 'Li P S', 'Na Cl', 'Li Fe P O'].map((include) =>
    post('/api/phase_diagram/phase_diagram_handle/', { include }),
  ),
  ...['Li-O-*', 'Li-Fe-O', 'Li-P-S'].map((include) => post('/api/ecwindow/search_by_elements/', { include })),
  ...[95, 4, 121].map((structId) =>
    post('/api/ecwindow/get_ecw_detail/', { struct_id: structId, work_ion: 'Li' }),
  ),
  post('/api/interface_reaction/interface_receive/', { reactant1: 'Li3PS4', reactant2: 'LiCoO2' }),
  post('/api/xrd/xrd_match/', {
    xrd_data: HALITE,
    elements: 'only: Na Cl',
    radiation: 'CuKa',
    match_way: 'DTW',
  }),
  ...['/', '/matdata', '/phase'].map(get),
  get('/api/arkid/get_user_infor/'),
  get('/api/arkid/sessions/'),
  get('/api/about/get_data/'),
];

const quantile = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) * 10) /
  10;

async function memoryMib(): Promise<number> {
  const answer = await fetch(`${api.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(await answer.text())?.[1];
  return Math.round(Number(bytes) / 2 ** 20);
}

/** Latencies of health, in milliseconds, asked again and again until `signal` is aborted. */
async function watchHealth(signal: AbortSignal): Promise<number[]> {
  const latencies: number[] = [];
  while (!signal.aborted) {
    const before = performance.now();
    const answer = await fetch(`${api.url}/api/health`);
    await answer.text();
    latencies.push(answer.ok ? performance.now() - before : Number.POSITIVE_INFINITY);
    await new Promise((wake) => setTimeout(wake, HEALTH_EVERY_MILLISECONDS));
  }
  return latencies;
}

async function round({ clients, seconds }: (typeof ROUNDS)[number]): Promise<void> {
  const answered: number[] = [];
  const refused: number[] = [];
  const statuses = new Map<number, number>();
  const over = new AbortController();
  const health = watchHealth(over.signal);
  const options = {
    url: api.url,
    connections: clients,
    duration: seconds,
    timeout: 60,
    requests: MIX.map((asked) => ({
      ...asked,
      setupRequest: (request: autocannon.Request) => ({
        ...request,
        headers: { ...request.headers, authorization: authorization() },
      }),
    })),
  };
  const run = autocannon(options, () => undefined);
  const done = new Promise<autocannon.Result>((resolve) => run.on('done', resolve));
  // The first of a connection waits for the connection, too.
  const connected = new Set<unknown>();
  const refusedLater: number[] = [];
  run.on('response', (client, status, _bytes, milliseconds) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 200) answered.push(milliseconds);
    else if (status === 503) {
      refused.push(milliseconds);
      if (connected.has(client)) refusedLater.push(milliseconds);
    }
    connected.add(client);
  });
  const { errors, duration } = await done;
  over.abort();
  const healthy = (await health).sort((a, b) => a - b);
  answered.sort((a, b) => a - b);
  refused.sort((a, b) => a - b);
  refusedLater.sort((a, b) => a - b);
  const others = [...statuses].filter(([status]) => status !== 200 && status !== 503);
  process.stdout.write(
    `${JSON.stringify({
      clients,
      answersPerSecond: Math.round(answered.length / duration),
      refused: refused.length,
      refusedP50Ms: quantile(refused, 0.5),
      refusedP99Ms: quantile(refused, 0.99),
      refusedLaterP99Ms: quantile(refusedLater, 0.99),
      connectionErrors: errors,
      otherStatuses: Object.fromEntries(others),
      p50Ms: quantile(answered, 0.5),
      p95Ms: quantile(answered, 0.95),
      p99Ms: quantile(answered, 0.99),
      healthP50Ms: quantile(healthy, 0.5),
      healthP99Ms: quantile(healthy, 0.99),
      memoryMib: await memoryMib(),
      machineLoad: loadavg()[0],
    })}\n`,
  );
}

try {
  for (const each of ROUNDS) await round(each);
} finally {
  await api.stop();
  await database.drop();
}
