/**
 * Screening 300,000 materials: `npm run bench -- screen`. Fills a database of its own, starts the API on loopback, and asks for
 * three ranges, eight facets and a sorted page: the first, the last, five at once; beside it the same in SQL alone.
 */
import { readIndex } from '../../apps/api/src/features/screen/index/read-index.ts';
import { openOwnDatabase, post, startOwnApi } from './own-api.ts';
import { gunzipSync } from 'node:zlib';
import { fillScale, SCALE } from './fill-scale.ts';
import { pg, type PgClient } from './pg-from-api.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 300_000);
const ROUNDS = 200;

const RANGES = ['band_gap >= 0.5', 'energy_above_hull <= 0.1', 'nsites <= 40'];
const FACETS = [
  'elements',
  'crystal_system',
  'space_group',
  'band_gap',
  'energy_above_hull',
  'formation_energy_per_atom',
  'nsites',
  'has_elastic',
];
const QUESTION = { filter: RANGES.join(' AND '), facets: FACETS, sort: '-band_gap', scale: SCALE };

async function timesOf(rounds: number, ask: () => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    await ask();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => Number(times[Math.floor(share * (times.length - 1))].toFixed(1));
  return { p50: at(0.5), p95: at(0.95) };
}

/** The same question as SQL: page, count, and every facet over the rows that pass the conditions on other columns. */
async function askSql(client: PgClient): Promise<void> {
  const where = (except: string): string =>
    RANGES.filter((range) => !range.startsWith(except)).join(' AND ') || 'true';
  await client.query(
    `SELECT struct_id, formula, space_group FROM material WHERE ${where('-')} ORDER BY band_gap DESC, struct_id LIMIT 20`,
  );
  await client.query(`SELECT count(*) FROM material WHERE ${where('-')}`);
  await client.query(
    `SELECT e, count(*) FROM material, unnest(elements) AS e WHERE ${where('-')} GROUP BY e`,
  );
  for (const name of ['crystal_system', 'space_group', 'has_elastic'])
    await client.query(`SELECT ${name}, count(*) FROM material WHERE ${where(name)} GROUP BY 1`);
  for (const name of ['band_gap', 'energy_above_hull', 'formation_energy_per_atom', 'nsites'])
    await client.query(
      `SELECT width_bucket(${name}, -5, 10, 40), count(*) FROM material WHERE ${where(name)} GROUP BY 1`,
    );
}

/** Bytes of all that threads share, each buffer once. */
function sharedBytes(value: unknown, seen = new Set<unknown>()): number {
  if (ArrayBuffer.isView(value)) {
    if (seen.has(value.buffer)) return 0;
    seen.add(value.buffer);
    return value.buffer.byteLength;
  }
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + sharedBytes(part, seen), 0);
}

const database = await openOwnDatabase();
const client = new pg.Client({ connectionString: database.url });
try {
  await client.connect();
  await fillScale(client, ROWS);
  await client.query('CREATE INDEX bench_gap ON material (band_gap DESC, struct_id)');
  await client.query('VACUUM ANALYZE');
  const { state, milliseconds } = await readIndex({
    databaseUrl: database.url,
    versions: null,
    isFederated: false,
  });
  const unchanged = await readIndex({
    databaseUrl: database.url,
    versions: state?.versions ?? null,
    isFederated: false,
  });
  console.log(
    JSON.stringify({
      case: 'index',
      rows: ROWS,
      readMs: milliseconds,
      unchangedMs: unchanged.milliseconds,
      megabytes: Math.round(sharedBytes(state) / 1e6),
    }),
  );
  const api = await startOwnApi(database.url, { UNITCELL_ENERGY_SCALE: SCALE });
  try {
    const ask = async (
      more: object = {},
    ): Promise<{ total: number; rows: unknown[]; next: string | null }> => {
      const answer = await fetch(`${api.url}/api/matdata/screen/`, {
        method: 'POST',
        headers: { authorization: `token ${api.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...QUESTION, ...more }),
      });
      const body = (await answer.json()) as {
        total: number;
        rows: unknown[];
        next: string | null;
        message: string;
      };
      if (!answer.ok || body.rows === undefined) throw new Error(`${answer.status} ${body.message}`);
      return body;
    };
    for (let round = 0; round < 20; round++) await ask();
    const { total } = await ask();
    const last = await ask({ offset: Math.max(0, total - 40), facets: [] });
    const pages = {
      first: {},
      last: { cursor: last.next },
      firstPlain: { facets: [] },
      lastPlain: { facets: [], cursor: last.next },
    };
    for (const [name, more] of Object.entries(pages))
      console.log(JSON.stringify({ case: name, total, ...(await timesOf(ROUNDS, () => ask(more))) }));
    const points = {
      x: 'band_gap',
      y: 'formation_energy_per_atom',
      color: 'energy_above_hull',
      scale: SCALE,
    };
    const { body, milliseconds: pointsMs } = await post(api, '/api/matdata/screen/points/', points, {
      'accept-encoding': 'gzip',
    });
    console.log(
      JSON.stringify({
        case: 'points',
        points: (JSON.parse(gunzipSync(body).toString()) as { x: number[] }).x.length,
        wireMegabytes: Number((body.length / 1e6).toFixed(2)),
        milliseconds: Math.round(pointsMs),
      }),
    );
    const heat = { field: 'band_gap', scale: SCALE };
    console.log(
      JSON.stringify({
        case: 'medians by element',
        ...(await timesOf(20, () => post(api, '/api/matdata/screen/elements/', heat))),
      }),
    );
    console.log(
      JSON.stringify({
        case: 'five at once',
        ...(await timesOf(ROUNDS / 5, () => Promise.all(Array.from({ length: 5 }, () => ask())))),
      }),
    );
  } finally {
    await api.stop();
  }
  await askSql(client);
  console.log(JSON.stringify({ case: 'the same in SQL', ...(await timesOf(10, () => askSql(client))) }));
} finally {
  await client.end();
  await database.drop();
}
