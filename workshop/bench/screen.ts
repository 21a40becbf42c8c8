/**
 * Screening 300,000 materials (BENCH_ROWS): reading the columns into memory, then queries with three ranges,
 * eight facets and a sorted page (first page, last page, five at once), and the points of a plot; compared
 * with plain SQL.
 */
import { gunzipSync } from 'node:zlib';
import { withClient } from '@unitcell/tools/database';
import { readIndex } from '../../apps/api/src/features/screen/index/read-index.ts';
import { fillMaterials, SCALE } from './data.ts';
import { ask, measure, print, withApi, withDatabase } from './harness.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 300_000);
const RANGES = ['band_gap >= 0.5', 'energy_above_hull <= 0.1', 'nsites <= 40'];
const CODES = ['crystal_system', 'space_group', 'has_elastic'];
const NUMBERS = ['band_gap', 'energy_above_hull', 'formation_energy_per_atom', 'nsites'];
const QUESTION = {
  filter: RANGES.join(' AND '),
  facets: ['elements', ...CODES, ...NUMBERS],
  sort: '-band_gap',
  scale: SCALE,
};
const POINTS = { x: 'band_gap', y: 'formation_energy_per_atom', color: 'energy_above_hull', scale: SCALE };

/** Page, count, and every facet over the rows that pass the conditions on other columns. */
const where = (except: string): string =>
  RANGES.filter((range) => !range.startsWith(except)).join(' AND ') || 'true';
const SQL = [
  `SELECT struct_id, formula, space_group FROM material WHERE ${where('-')} ORDER BY band_gap DESC, struct_id LIMIT 20`,
  `SELECT count(*) FROM material WHERE ${where('-')}`,
  `SELECT e, count(*) FROM material, unnest(elements) AS e WHERE ${where('-')} GROUP BY e`,
  ...CODES.map((name) => `SELECT ${name}, count(*) FROM material WHERE ${where(name)} GROUP BY 1`),
  ...NUMBERS.map(
    (name) =>
      `SELECT width_bucket(${name}, -5, 10, 40), count(*) FROM material WHERE ${where(name)} GROUP BY 1`,
  ),
];

await withDatabase(async (url) => {
  await fillMaterials(url, ROWS);
  await withClient(url, (client) =>
    client.query('CREATE INDEX bench_gap ON material (band_gap DESC, struct_id)'),
  );
  const { state, milliseconds } = await readIndex({ databaseUrl: url, versions: null, isFederated: false });
  const again = { databaseUrl: url, versions: state?.versions ?? null, isFederated: false };
  print({ case: 'columns', readMs: milliseconds, unchangedMs: (await readIndex(again)).milliseconds });
  await withApi(url, { UNITCELL_ENERGY_SCALE: SCALE }, async (api) => {
    const screen = async (more: object = {}): Promise<{ total: number; next: string | null }> =>
      JSON.parse((await ask(api, '/api/matdata/screen/', { ...QUESTION, ...more })).toString());
    const { total } = await screen();
    const { next } = await screen({ offset: Math.max(0, total - 40), facets: [] });
    const of = { cpuMs: api.cpuMs };
    await measure('first page', () => screen(), of, { total });
    await measure('last page', () => screen({ cursor: next }), of);
    await measure('first page, no facets', () => screen({ facets: [] }), of);
    await measure('last page, no facets', () => screen({ facets: [], cursor: next }), of);
    await measure('five at once', () => Promise.all(Array.from({ length: 5 }, () => screen())), {
      ...of,
      rounds: 40,
    });
    const elements = () => ask(api, '/api/matdata/screen/elements/', { field: 'band_gap', scale: SCALE });
    await measure('medians by element', elements, { ...of, rounds: 20 });
    const points = await ask(api, '/api/matdata/screen/points/', POINTS, { 'accept-encoding': 'gzip' });
    const { x } = JSON.parse(gunzipSync(points).toString()) as { x: number[] };
    print({ case: 'points', points: x.length, wireMegabytes: Number((points.length / 1e6).toFixed(2)) });
  });
  await withClient(url, async (client) => {
    const all = async (): Promise<void> => {
      for (const sql of SQL) await client.query(sql);
    };
    await measure('the same in SQL', all, { rounds: 10, warmUp: 1 });
  });
});
