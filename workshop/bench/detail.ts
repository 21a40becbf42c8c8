/**
 * The complete detail answer of a material. The catalogue is the seed data, repeated under new ids up to
 * 300,000 full entries (BENCH_ROWS). Requests different materials in turn, so that no answer comes from a
 * cache; then only materials with a band structure, which have the largest answers.
 */
import { fileURLToPath } from 'node:url';
import { withClient } from '@unitcell/tools/database';
import { ask, measure, operate, withApi, withDatabase } from './harness.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 300_000);
const ROUNDS = 1000;
/**
 * Step between requested rows, to spread requests over the table. A prime, so it visits all rows unless their
 * number is a multiple of it.
 */
const STRIDE = 7919;
/** The tables of a material, in the order of their foreign keys. */
const TABLES =
  'material material_structure material_energy band_structure density_of_states elastic_tensor dielectric_tensor piezoelectric_tensor topology'.split(
    ' ',
  );

/** The value of a column in copy k: new ids and hashes, other values unchanged. */
function expressionOf(column: string): string {
  if (column === 'struct_id') return 'struct_id + copy.k * $1::int';
  if (column === 'content_hash') return "sha256(content_hash || convert_to(copy.k::text, 'UTF8'))";
  return `"${column}"`;
}

await withDatabase(async (url) => {
  await operate(url, 'seed', '--from', fileURLToPath(new URL('../../seed-data', import.meta.url)));
  await withClient(url, async (client) => {
    const { rows } = await client.query(
      'SELECT count(*)::int AS count, max(struct_id) AS last FROM material',
    );
    const { count, last } = rows[0] as { count: number; last: number };
    for (const table of TABLES) {
      const found = await client.query(
        `SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'`,
        [table],
      );
      const columns = found.rows.map((row) => row.column_name as string);
      await client.query(
        `INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join(', ')})
         SELECT ${columns.map(expressionOf).join(', ')} FROM ${table}, generate_series(1, $2::int) AS copy (k) WHERE struct_id <= $1`,
        [last, Math.max(0, Math.ceil(ROWS / count) - 1)],
      );
    }
    await client.query('VACUUM ANALYZE');
    await withApi(url, {}, async (api) => {
      for (const table of ['material_structure', 'band_structure']) {
        const { rows: ids } = await client.query(
          `SELECT DISTINCT struct_id FROM ${table} ORDER BY struct_id`,
        );
        let index = 0;
        const detail = () =>
          ask(api, '/api/matdata/get_struct_detail/', ids[(index++ * STRIDE) % ids.length] as object);
        await measure(`detail of ${table}`, detail, { rounds: ROUNDS, warmUp: 100, cpuMs: api.cpuMs });
      }
    });
  });
});
