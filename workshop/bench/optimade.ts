/**
 * OPTIMADE over 300,000 structures (BENCH_ROWS): the kinds of filter used by the official validator, with
 * values of many different rows so that no count is cached, then the same again; the first page and the last.
 */
import { withClient } from '@unitcell/tools/database';
import { writeCursor } from '../../apps/api/src/features/optimade/read-query.ts';
import { fillMaterials } from './data.ts';
import { ask, measure, print, quantile, withApi, withDatabase } from './harness.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 300_000);
/** Number of rows that provide the values of the filters. */
const SAMPLES = 25;
/** One cell for all: the cost of a page depends on the number of cells, not on their content. */
const CELL = {
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

const quoted = (row: Sample): string => row.elements.map((symbol) => `"${symbol}"`).join(',');
const FILTERS: Readonly<Record<string, (row: Sample) => string>> = {
  'id =': (row) => `id="${row.struct_id}"`,
  'id !=': (row) => `id!="${row.struct_id}"`,
  'nelements =': (row) => `nelements=${row.elements.length} AND nsites>${row.nsites}`,
  'nsites >=': (row) => `nsites>=${row.nsites} AND id!="${row.struct_id}"`,
  'nsites <': (row) => `nsites<${row.nsites} AND id!="${row.struct_id}"`,
  'elements HAS': (row) => `elements HAS "${row.elements[0]}" AND nsites!=${row.nsites}`,
  'elements HAS ALL': (row) => `elements HAS ALL ${quoted(row)}`,
  'elements HAS ANY': (row) => `elements HAS ANY ${quoted(row)} AND nsites!=${row.nsites}`,
  'elements HAS ONLY': (row) => `elements HAS ONLY ${quoted(row)}`,
  'elements LENGTH': (row) => `elements LENGTH ${row.elements.length} AND nsites=${row.nsites}`,
  'anonymous =': (row) => `chemical_formula_anonymous="${row.formula_anonymous}"`,
  'reduced STARTS': (row) =>
    `chemical_formula_reduced STARTS WITH "${row.elements[0]}" AND nsites!=${row.nsites}`,
  'reduced CONTAINS': (row) =>
    `chemical_formula_reduced CONTAINS "${row.elements.at(-1)}" AND nsites!=${row.nsites}`,
  'ratios HAS': (row) => `elements_ratios HAS ${1 / row.elements.length} AND nsites!=${row.nsites}`,
  'IS KNOWN': (row) => `_unitcell_band_gap IS KNOWN AND nsites=${row.nsites}`,
};

await withDatabase(async (url) => {
  await fillMaterials(url, ROWS);
  await withClient(url, async (client) => {
    await client.query(
      `INSERT INTO material_structure (struct_id, given, primitive, conventional, symprec, wyckoffs)
       SELECT struct_id, $1::jsonb, $1::jsonb, $1::jsonb, 0.01, '{}' FROM material`,
      [JSON.stringify(CELL)],
    );
    await client.query('VACUUM ANALYZE');
    const { rows: samples } = await client.query<Sample>(
      `SELECT struct_id, formula_reduced, formula_anonymous, elements, nsites FROM material
       WHERE struct_id % ${Math.ceil(ROWS / SAMPLES)} = 7 ORDER BY struct_id`,
    );
    await withApi(url, { OPTIMADE_ACCESS: 'public', LIMIT_OPTIMADE_PER_MINUTE: '1000000' }, async (api) => {
      const page = (query: string) => ask(api, `/optimade/v1/structures?${query}`);
      // The columns are in memory once the first screening is answered.
      await ask(api, '/api/matdata/screen/', {});
      const all = { first: [] as number[], again: [] as number[] };
      for (const [name, filterOf] of Object.entries(FILTERS)) {
        const filters = [...new Set(samples.map((row) => encodeURIComponent(filterOf(row))))];
        const times = { first: [] as number[], again: [] as number[] };
        const before = api.cpuMs();
        for (const round of ['first', 'again'] as const)
          for (const filter of filters) {
            const begun = performance.now();
            await page(`page_limit=5&filter=${filter}`);
            times[round].push(performance.now() - begun);
          }
        all.first.push(...times.first);
        all.again.push(...times.again);
        print({
          case: name,
          firstP50Ms: quantile(times.first, 0.5),
          firstP95Ms: quantile(times.first, 0.95),
          againP95Ms: quantile(times.again, 0.95),
          cpuMsEach: (api.cpuMs() - before) / (2 * filters.length),
        });
      }
      print({
        case: 'all filters',
        firstP95Ms: quantile(all.first, 0.95),
        againP95Ms: quantile(all.again, 0.95),
      });
      for (const [sort, column] of [
        ['nsites', 'nsites'],
        ['chemical_formula_reduced', 'formula_reduced'],
      ] as const) {
        const { rows } = await client.query(
          `SELECT ${column} AS value, struct_id FROM material ORDER BY ${column}${sort === 'nsites' ? '' : ' COLLATE "C"'} DESC, struct_id DESC OFFSET 100 LIMIT 1`,
        );
        const { value, struct_id } = rows[0] as { value: string | number; struct_id: number };
        const list = `page_limit=100&sort=${sort}`;
        const last = `${list}&page_cursor=${encodeURIComponent(writeCursor([value, struct_id]))}`;
        await measure(`first page by ${sort}`, () => page(list), { rounds: 30, warmUp: 3, cpuMs: api.cpuMs });
        await measure(`last page by ${sort}`, () => page(last), { rounds: 30, warmUp: 3, cpuMs: api.cpuMs });
      }
    });
  });
});
