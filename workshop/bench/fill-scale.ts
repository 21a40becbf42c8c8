/** Fills a database of its own with the rows of the search benchmarks, each with energies and, where wanted, a cell. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { copyFrom, type PgClient } from './pg-from-api.ts';
import { copyLine, SCALE_COLUMNS, scaleRows } from './scale-rows.ts';

/** The energy scale of its rows. */
export const SCALE = 'PBE (MP 2018)';

export async function fillScale(client: PgClient, rows: number): Promise<void> {
  const lines = Readable.from(
    (async function* () {
      for await (const row of scaleRows(rows)) yield `${copyLine(row)}\n`;
    })(),
  );
  await pipeline(lines, client.query(copyFrom(`COPY material (${SCALE_COLUMNS}) FROM STDIN`)));
  await client.query(`UPDATE material SET has_elastic = true WHERE struct_id % 23 = 0`);
  await client.query(`INSERT INTO material_energy (struct_id, functional, chemical_system, formation_energy_per_atom, energy_above_hull)
    SELECT struct_id, functional, chemical_system, formation_energy_per_atom, energy_above_hull FROM material`);
}
