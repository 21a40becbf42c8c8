/**
 * Phase diagrams over HTTP: `node --import tsx workshop/bench/phase-api.ts`.
 *
 * Imports the Li-Fe-P-O system of `phase-system.ts` into a database of its own, starts the API on it and measures one request of a
 * kept-alive client: cold (the catalogue has just changed, which empties every cache) and cached, plain and compressed. The
 * first requests warm the threads up and are left out. One JSON line per case.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { withClient } from '@unitcell/tools/database';
import {
  type Answer,
  type OwnApi,
  openOwnDatabase,
  operate,
  post,
  quantile,
  startOwnApi,
} from './own-api.ts';
import { ELEMENTS, SYSTEM_SCALE, systemLines } from './phase-system.ts';

const COLD_ROUNDS = 100;
const CACHED_ROUNDS = 1000;
const WARM_UP = 20;
/** Entries of the system: as many as are published of Li-Fe-P-O. */
const ENTRIES = 943;

interface Client {
  query(text: string): Promise<unknown>;
}

const ask = (api: OwnApi, include: string, encoding: string): Promise<Answer> =>
  post(api, '/api/phase_diagram/phase_diagram_handle/', { include }, { 'accept-encoding': encoding });

function print(name: string, answers: readonly Answer[], more: object): void {
  const times = answers.map(({ milliseconds }) => milliseconds);
  const kilobytes = Math.round((answers[0]?.body.length ?? 0) / 1000);
  console.log(
    JSON.stringify({
      case: name,
      kilobytes,
      p50Ms: quantile(times, 0.5),
      p95Ms: quantile(times, 0.95),
      maxMs: quantile(times, 1),
      ...more,
    }),
  );
}

async function forget(client: Client): Promise<void> {
  await client.query("SELECT pg_notify('catalogue_changed', '')");
  // The announcement travels on a connection of its own.
  await new Promise((wake) => setTimeout(wake, 30));
}

async function measure(client: Client, api: OwnApi, components: readonly string[]): Promise<void> {
  const include = components.join(' ');
  const cold: Answer[] = [];
  for (let round = -WARM_UP; round < COLD_ROUNDS; round++) {
    await forget(client);
    const answer = await ask(api, include, 'gzip');
    if (round >= 0) cold.push(answer);
  }
  const text = gunzipSync(cold[0]?.body ?? Buffer.alloc(0)).toString();
  const { data } = JSON.parse(text) as { data: { x: number[] }[] };
  const phases = data.slice(-2).reduce((sum, series) => sum + series.x.length, 0);
  const name = components.join('-');
  print(`${name} cold`, cold, { phases });
  for (const encoding of ['identity', 'gzip']) {
    const cached: Answer[] = [];
    for (let round = -WARM_UP; round < CACHED_ROUNDS; round++) {
      const answer = await ask(api, include, encoding);
      if (round >= 0) cached.push(answer);
    }
    print(`${name} cached, ${encoding}`, cached, { phases });
  }
}

const folder = mkdtempSync(join(tmpdir(), 'unitcell-bench-'));
const database = await openOwnDatabase();
try {
  const file = join(folder, 'system.jsonl');
  writeFileSync(file, systemLines(ENTRIES).join('\n'));
  await operate(database.url, 'import', file);
  const api = await startOwnApi(database.url, { UNITCELL_ENERGY_SCALE: SYSTEM_SCALE });
  try {
    await withClient(database.url, async (client: Client) => {
      for (const count of [2, 3, 4]) await measure(client, api, [...ELEMENTS].slice(-count));
    });
  } finally {
    await api.stop();
  }
} finally {
  await database.drop();
  rmSync(folder, { recursive: true });
}
