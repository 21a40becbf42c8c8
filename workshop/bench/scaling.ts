/**
 * How each cost grows with the catalogue: `npm run bench -- scaling [ROWS…] [--no-imports]` (default 300000 1000000 3000000; docs/scaling.md). One database of
 * its own is filled further for each size with the rows of `scale-rows.ts`; one JSON line a size and case: least, median and 95th
 * percentile of the milliseconds over HTTP on loopback, and processor time of the API, which other work on the machine touches least.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { readIndex } from '../../apps/api/src/features/screen/index/read-index.ts';
import { SCALE } from './fill-scale.ts';
import { writeImportLines } from './import-lines.ts';
import { type OwnApi, openOwnDatabase, operate, post, quantile, startOwnApi } from './own-api.ts';
import { copyFrom, pg, type PgClient } from './pg-from-api.ts';
import { copyLine, SCALE_COLUMNS, scaleRows } from './scale-rows.ts';

const sizes = process.argv.slice(2).map(Number).filter(Number.isFinite);
const SIZES = sizes.length > 0 ? sizes : [300_000, 1_000_000, 3_000_000];
const imports = !process.argv.includes('--no-imports');
const ROUNDS = 60;
const IMPORTED = 500;
/** Real crystals that are stored and then looked at in detail, their hulls left for later. */
const STORED = 2000;

const rounded = (value: number): number => Number(value.toPrecision(3));

const rows = scaleRows(Math.max(...SIZES));

async function* nextLines(count: number): AsyncGenerator<string> {
  for (let at = 0; at < count; at++) {
    const { value, done } = await rows.next();
    if (done) return;
    yield `${copyLine(value)}\n`;
  }
}

async function fillTo(client: PgClient, before: number, size: number): Promise<void> {
  const lines = Readable.from(nextLines(size - before));
  await pipeline(lines, client.query(copyFrom(`COPY material (${SCALE_COLUMNS}) FROM STDIN`)));
  await client.query(`INSERT INTO material_energy (struct_id, functional, chemical_system, formation_energy_per_atom, given_formation_energy, energy_above_hull)
    SELECT struct_id, functional, chemical_system, formation_energy_per_atom, formation_energy_per_atom, energy_above_hull FROM material
    WHERE struct_id > ${before} AND struct_id <= ${size}`);
  await client.query('VACUUM ANALYZE');
}

async function timed(api: OwnApi, ask: (round: number) => Promise<unknown>): Promise<object> {
  const times: number[] = [];
  for (let round = -5; round < ROUNDS; round++) {
    const start = performance.now();
    await ask(round + 5);
    if (round >= 0) times.push(performance.now() - start);
  }
  const before = api.cpuMs();
  for (let round = 0; round < ROUNDS; round++) await ask(round);
  const cpu = (api.cpuMs() - before) / ROUNDS;
  const [least, p50, p95] = [0, 0.5, 0.95].map((share) => rounded(quantile(times, share)));
  return { leastMs: least, p50Ms: p50, p95Ms: p95, apiCpuMs: rounded(cpu) };
}

interface Screened {
  readonly total: number;
  readonly next: string | null;
}

/** struct_ids of what was imported come behind those of the rows. */
const FIRST_IMPORTED = 1_000_000_000;

async function measure(
  size: number,
  api: OwnApi,
  systems: readonly string[],
  crystals: readonly number[],
): Promise<void> {
  const print = (what: string, figures: object) =>
    console.log(JSON.stringify({ bench: 'scaling', rows: size, what, ...figures }));
  const search = (by: string, include: string) =>
    timed(api, () => post(api, `/api/matdata/search_by_${by}/`, { include }));
  print('search Li-Fe-O', await search('elements', 'Li-Fe-O'));
  print('search TiO2', await search('formula', 'TiO2'));
  print('search by id', await search('struct_id', '126096'));
  print(
    'detail of an imported crystal',
    await timed(api, (round) =>
      post(api, '/api/matdata/get_struct_detail/', { struct_id: crystals[round % crystals.length] }),
    ),
  );
  print('search Li-Fe-P-O-*', await search('elements', 'Li-Fe-P-O-*'));
  const question = {
    filter: 'band_gap >= 0.5 AND energy_above_hull <= 0.1 AND nsites <= 40',
    facets: ['elements', 'crystal_system', 'band_gap', 'energy_above_hull'],
    sort: '-band_gap',
    scale: SCALE,
  };
  const screen = async (more: object): Promise<Screened> =>
    JSON.parse(
      (await post(api, '/api/matdata/screen/', { ...question, ...more })).body.toString(),
    ) as Screened;
  // While the columns are read the site says 503 with Retry-After: nothing to measure yet.
  while (!(await screen({}).catch(() => null))) await setTimeout(500);
  print('screen, first page', await timed(api, () => screen({})));
  const { total } = await screen({});
  const { next } = await screen({ offset: Math.max(0, total - 40), facets: [] });
  print('screen, last page', { total, ...(await timed(api, () => screen({ cursor: next }))) });
  print(
    'phase diagram of a ternary or quaternary system, never asked before',
    await timed(api, (round) =>
      post(api, '/api/phase_diagram/phase_diagram_handle/', {
        include: systems[round % systems.length].replaceAll('-', ' '),
      }),
    ),
  );
}

const database = await openOwnDatabase();
const client = new pg.Client({ connectionString: database.url });
const folder = mkdtempSync(join(tmpdir(), 'unitcell-bench-'));
try {
  await client.connect();
  // What is imported below has ids of its own, behind those of the rows.
  await client.query(`SELECT setval('material_struct_id', ${FIRST_IMPORTED})`);
  const lines = join(folder, 'all.jsonl');
  writeImportLines(lines, (2 * IMPORTED + STORED) * SIZES.length);
  const imported = readFileSync(lines, 'utf8').trim().split('\n');
  const importNext = async (
    what: string,
    size: number,
    count = IMPORTED,
    ...flags: readonly string[]
  ): Promise<void> => {
    const part = join(folder, 'part.jsonl');
    writeFileSync(part, imported.splice(0, count).join('\n'));
    const start = performance.now();
    await operate(database.url, 'import', '--json', ...flags, part);
    const seconds = (performance.now() - start) / 1000;
    console.log(
      JSON.stringify({
        bench: 'scaling',
        rows: size,
        what,
        seconds: rounded(seconds),
        aSecond: rounded(count / seconds),
      }),
    );
  };
  let before = 0;
  for (const size of SIZES) {
    const filling = performance.now();
    await fillTo(client, before, size);
    before = size;
    const { rows: bytes } = await client.query(
      'SELECT pg_database_size(current_database())::float8 AS bytes',
    );
    const read = await readIndex({ databaseUrl: database.url, versions: null, isFederated: false });
    console.log(
      JSON.stringify({
        bench: 'scaling',
        rows: size,
        what: 'database',
        gigabytes: rounded(Number(bytes[0].bytes) / 1e9),
        filledSeconds: rounded((performance.now() - filling) / 1000),
        columnsReadSeconds: rounded(read.milliseconds / 1000),
      }),
    );
    const { rows: found } = await client.query(
      `SELECT chemical_system AS name FROM material WHERE nelements IN (3, 4) GROUP BY 1 ORDER BY hashtext(chemical_system) LIMIT ${2 * ROUNDS + 5}`,
    );
    await importNext(`import of ${STORED}, hulls left for later`, size, STORED, '--no-hulls');
    const { rows: stored } = await client.query(
      `SELECT struct_id AS id FROM material WHERE struct_id > ${FIRST_IMPORTED} ORDER BY hashtext(struct_id::text) LIMIT ${2 * ROUNDS + 5}`,
    );
    const api = await startOwnApi(database.url, { UNITCELL_ENERGY_SCALE: SCALE });
    try {
      await measure(
        size,
        api,
        found.map(({ name }) => name as string),
        stored.map(({ id }) => id as number),
      );
    } finally {
      await api.stop();
    }
    if (!imports) continue;
    // The rows came without hulls and windows: the first import after them derives all of these.
    await importNext(`import of ${IMPORTED}, with hulls and windows of all rows`, size);
    await importNext(`import of ${IMPORTED}`, size);
  }
} finally {
  await client.end();
  await database.drop();
  rmSync(folder, { recursive: true });
}
