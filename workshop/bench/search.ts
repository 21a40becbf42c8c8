/**
 * Searches on 300,000 materials over HTTP, one at a time and by 50 clients, each beside the same SQL through
 * `pg`; then OPTIMADE filters, with different values in each request. BENCH_ROWS sets the number.
 */
import autocannon from 'autocannon';
import { withClient } from '@unitcell/tools/database';
import { fillMaterials } from './data.ts';
import { ask, measure, print, withApi, withDatabase } from './harness.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 300_000);
const COLUMNS = `struct_id, formula, space_group, formation_energy_per_atom, energy_above_hull, band_gap, nsites, fermi_energy,
  crystal_system, lattice_type, has_band, is_hubbard, has_hse, has_epsilon, has_piezo, has_elastic`;
const CLIENTS = 50;
const SECONDS = 4;

/** Name, call, search text, and the condition and value of the equivalent SQL. */
const CASES: readonly (readonly [string, string, string, string, unknown])[] = [
  ['exact system Li-Fe-O', 'elements', 'Li-Fe-O', 'chemical_system = $1', 'Fe-Li-O'],
  ['exact system Ti-O', 'elements', 'Ti-O', 'chemical_system = $1', 'O-Ti'],
  ['wildcard Li-Fe-P-O-*', 'elements', 'Li-Fe-P-O-*', 'elements @> $1::text[]', ['Fe', 'Li', 'O', 'P']],
  ['formula TiO2', 'formula', 'TiO2', 'formula_reduced = $1', 'TiO2'],
  ['id 126096', 'struct_id', '126096', 'struct_id = $1', 126_096],
  ['wildcard O-* (10,000 rows)', 'elements', 'O-*', 'elements @> $1::text[]', ['O']],
];

const OPTIMADE: readonly ((round: number) => string)[] = [
  (round) => `id="${7919 * round}"`,
  (round) => `nsites>=${10 + (round % 20)} AND id!="${round}"`,
  (round) => `elements HAS ALL "O","${['Li', 'Ti', 'Fe', 'Na'][round % 4]}" AND nsites!=${round}`,
  (round) => `elements HAS ONLY "Li","O","P" AND nsites!=${round}`,
  (round) => `chemical_formula_reduced STARTS WITH "Ti" AND nsites!=${round}`,
];

await withDatabase(async (url) => {
  await fillMaterials(url, ROWS);
  await withApi(url, { OPTIMADE_ACCESS: 'public', LIMIT_OPTIMADE_PER_MINUTE: '1000000' }, (api) =>
    withClient(url, async (client) => {
      for (const [name, path, include, where, value] of CASES) {
        const call = `/api/matdata/search_by_${path}/`;
        const rounds = name.includes('10,000') ? 60 : 300;
        await measure(name, () => ask(api, call, { include }), { rounds, cpuMs: api.cpuMs });
        const sql = `SELECT ${COLUMNS} FROM material WHERE ${where} ORDER BY energy_above_hull, struct_id LIMIT 10001`;
        await measure(`${name}, the same in SQL`, () => client.query(sql, [value]), { rounds });
        const { requests } = await autocannon({
          url: api.url + call,
          method: 'POST',
          connections: CLIENTS,
          duration: SECONDS,
          headers: { authorization: `token ${api.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ include }),
        });
        print({ case: `${name}, ${CLIENTS} clients`, perSecond: Math.round(requests.average) });
      }
      for (const filterOf of OPTIMADE) {
        let round = 1;
        const page = () =>
          ask(api, `/optimade/v1/structures?page_limit=5&filter=${encodeURIComponent(filterOf(round++))}`);
        await measure(`OPTIMADE ${filterOf(0)}`, page, { rounds: 25, cpuMs: api.cpuMs });
      }
    }),
  );
});
