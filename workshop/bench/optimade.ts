/**
 * OPTIMADE over 300,000 structures: `npm run bench -- optimade`. The kinds of filter the official validator asks, with values of
 * many different rows so that no count is remembered, then the same again; the first page and the last. Beside what the clock says
 * stands the processor time of API and database together, which other work on the machine does not lengthen.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { writeCursor } from '../../apps/api/src/features/optimade/read-query.ts';
import type { CompactCell } from '../../packages/crystal/src/index.ts';
import { fillScale } from './fill-scale.ts';
import { openOwnDatabase, post, startOwnApi } from './own-api.ts';
import { pg } from './pg-from-api.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 300_000);
/** Rows the values of the filters are taken from. */
const SAMPLES = 25;

/** One cell for all: what a page costs depends on how many there are, not on which. */
const CELL: CompactCell = {
  lattice: [4.2, 0, 0, 0, 4.2, 0, 0, 0, 4.2],
  species: ['Cs', 'Cl'],
  coords: [0, 0, 0, 0.5, 0.5, 0.5],
};

interface Sample {
  readonly struct_id: number;
  readonly formula_reduced: string;
  readonly formula_anonymous: string;
  readonly elements: readonly string[];
  readonly nsites: number;
}

const FILTERS: Readonly<Record<string, (row: Sample) => string>> = {
  'id =': (row) => `id="${row.struct_id}"`,
  'id !=': (row) => `id!="${row.struct_id}"`,
  'nelements =': (row) => `nelements=${row.elements.length} AND nsites>${row.nsites}`,
  'nsites >=': (row) => `nsites>=${row.nsites} AND id!="${row.struct_id}"`,
  'nsites <': (row) => `nsites<${row.nsites} AND id!="${row.struct_id}"`,
  'elements HAS': (row) => `elements HAS "${row.elements[0]}" AND nsites!=${row.nsites}`,
  'elements HAS ALL': (row) => `elements HAS ALL ${row.elements.map((symbol) => `"${symbol}"`).join(',')}`,
  'elements HAS ANY': (row) =>
    `elements HAS ANY ${row.elements.map((symbol) => `"${symbol}"`).join(',')} AND nsites!=${row.nsites}`,
  'elements HAS ONLY': (row) => `elements HAS ONLY ${row.elements.map((symbol) => `"${symbol}"`).join(',')}`,
  'elements LENGTH': (row) => `elements LENGTH ${row.elements.length} AND nsites=${row.nsites}`,
  'anonymous =': (row) => `chemical_formula_anonymous="${row.formula_anonymous}"`,
  'reduced STARTS': (row) =>
    `chemical_formula_reduced STARTS WITH "${row.elements[0]}" AND nsites!=${row.nsites}`,
  'reduced CONTAINS': (row) =>
    `chemical_formula_reduced CONTAINS "${row.elements.at(-1)}" AND nsites!=${row.nsites}`,
  'ratios HAS': (row) => `elements_ratios HAS ${1 / row.elements.length} AND nsites!=${row.nsites}`,
  'IS KNOWN': (row) => `_unitcell_band_gap IS KNOWN AND nsites=${row.nsites}`,
};

const at = (times: readonly number[], share: number): number =>
  Number([...times].sort((a, b) => a - b)[Math.floor(share * (times.length - 1))].toFixed(1));

/** Of a process, as Linux tells: its parent, and its processor time with that of children that ended, ms. */
function processOf(pid: string): { readonly parent: string; readonly cpuMs: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: fields[1] ?? '', cpuMs: ticks * 10 };
}

/** Processor time of a PostgreSQL server and all it started, ms. */
function serverCpuMs(postmaster: string): number {
  let sum = processOf(postmaster).cpuMs;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const { parent, cpuMs } = processOf(pid);
      if (parent === postmaster) sum += cpuMs;
    } catch {
      // It ended in between.
    }
  }
  return sum;
}

const database = await openOwnDatabase();
const client = new pg.Client({ connectionString: database.url });
try {
  await client.connect();
  await fillScale(client, ROWS);
  await client.query(
    `INSERT INTO material_structure (struct_id, given, primitive, conventional, symprec, wyckoffs)
     SELECT struct_id, $1::jsonb, $1::jsonb, $1::jsonb, 0.01, '{}' FROM material`,
    [JSON.stringify(CELL)],
  );
  await client.query('VACUUM ANALYZE');
  const { rows } = await client.query(
    `SELECT struct_id, formula_reduced, formula_anonymous, elements, nsites FROM material
     WHERE struct_id % ${Math.floor(ROWS / SAMPLES)} = 7 ORDER BY struct_id LIMIT ${SAMPLES}`,
  );
  const samples = rows as unknown as readonly Sample[];
  const [backend] = (await client.query('SELECT pg_backend_pid()::text AS pid')).rows as unknown as readonly {
    readonly pid: string;
  }[];
  const postmaster = processOf(backend?.pid ?? '').parent;
  const api = await startOwnApi(database.url, {
    OPTIMADE_ACCESS: 'public',
    LIMIT_OPTIMADE_PER_MINUTE: '1000000',
  });
  try {
    // The columns in memory are there when the first screening is answered.
    await post(api, '/api/matdata/screen/', {});
    const cpuMs = () => api.cpuMs() + serverCpuMs(postmaster);
    const ask = async (url: string): Promise<{ ms: number; next: string | null; returned: number }> => {
      const begun = performance.now();
      const answer = await fetch(url);
      const body = await answer.text();
      const ms = performance.now() - begun;
      if (!answer.ok) throw new Error(`${answer.status} ${url}: ${body.slice(0, 300)}`);
      const { links, meta } = JSON.parse(body);
      return { ms, next: links.next, returned: meta.data_returned };
    };
    const list = `${api.url}/optimade/v1/structures?page_limit=5&filter=`;
    for (let round = 0; round < 20; round++) await ask(`${api.url}/optimade/v1/structures?page_limit=5`);
    const all = { first: [] as number[], again: [] as number[] };
    for (const [name, filterOf] of Object.entries(FILTERS)) {
      const addresses = [...new Set(samples.map((row) => list + encodeURIComponent(filterOf(row))))];
      const times = { first: [] as number[], again: [] as number[] };
      const before = cpuMs();
      for (const round of ['first', 'again'] as const)
        for (const address of addresses) times[round].push((await ask(address)).ms);
      all.first.push(...times.first);
      all.again.push(...times.again);
      console.log(
        JSON.stringify({
          case: name,
          firstP50: at(times.first, 0.5),
          firstP95: at(times.first, 0.95),
          againP50: at(times.again, 0.5),
          againP95: at(times.again, 0.95),
          cpuEach: Number(((cpuMs() - before) / (2 * addresses.length)).toFixed(1)),
        }),
      );
    }
    console.log(
      JSON.stringify({
        case: 'all filters',
        rows: ROWS,
        asked: all.first.length,
        firstP95: at(all.first, 0.95),
        againP95: at(all.again, 0.95),
      }),
    );
    for (const sort of ['nsites', 'chemical_formula_reduced']) {
      const column = sort === 'nsites' ? 'nsites' : 'formula_reduced COLLATE "C"';
      const answer = await client.query(
        `SELECT * FROM material ORDER BY ${column} DESC, struct_id DESC OFFSET 100 LIMIT 1`,
      );
      const [before] = answer.rows as unknown as readonly Sample[];
      const value = sort === 'nsites' ? before?.nsites : before?.formula_reduced;
      const page = `${api.url}/optimade/v1/structures?page_limit=100&sort=${sort}`;
      const cursor = encodeURIComponent(writeCursor([value ?? 0, before?.struct_id ?? 0]));
      for (const [name, address] of Object.entries({ first: page, last: `${page}&page_cursor=${cursor}` })) {
        const times: number[] = [];
        const begun = cpuMs();
        for (let round = 0; round < 30; round++) times.push((await ask(address)).ms);
        console.log(
          JSON.stringify({
            case: `${name} page by ${sort}`,
            p50: at(times, 0.5),
            p95: at(times, 0.95),
            cpuEach: Number(((cpuMs() - begun) / 30).toFixed(1)),
          }),
        );
      }
    }
  } finally {
    await api.stop();
  }
} finally {
  await client.end();
  await database.drop();
}
