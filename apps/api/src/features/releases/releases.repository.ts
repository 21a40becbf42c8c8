/** The catalogue at one moment, for a dump: only SQL. */
import { CompiledQuery } from 'kysely';
import type { Reader } from '../../catalogue/export/export-materials.repository.ts';
import type { Db } from '../../infra/database.ts';

const PAGE_ROWS = 5000;

const WINDOWS = `SELECT w.struct_id, m.formula, m.chemical_system, w.working_ion, w.functional AS energy_scale,
    w.reduction_onset, w.oxidation_onset, w.release_id AS release, m.source_name, m.source_id, m.source_licence
  FROM electrochemical_window w JOIN material m USING (struct_id)
  WHERE (w.struct_id, w.working_ion, w.functional) > ($1, $2, $3)
  ORDER BY w.struct_id, w.working_ion, w.functional LIMIT ${PAGE_ROWS}`;

interface Keyed {
  readonly struct_id: number;
  readonly working_ion: string;
  readonly energy_scale: string;
}

/** SQL as text inside a transaction of Kysely's. */
export const readerOf = (tx: Db): Reader => ({
  query: (text, values) => tx.executeQuery<never>(CompiledQuery.raw(text, values)),
});

/** Runs `work` on the catalogue as it is now, whatever happens to it meanwhile. */
export const atOneMoment = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);

/** The last finished rebuild, and how many chemical systems wait for the next. */
export async function lastRelease(tx: Db): Promise<{ release: number | null; waiting: number }> {
  const { rows } = await readerOf(tx).query<{ release: number | null; waiting: number }>(
    `SELECT (SELECT max(id) FROM release WHERE finished_at IS NOT NULL) AS release,
      ((SELECT count(*) FROM dirty_system) + (SELECT count(*) FROM dirty_window))::int AS waiting`,
    [],
  );
  return rows[0] ?? { release: null, waiting: 0 };
}

export async function* windowRows<Row extends Keyed>(reader: Reader): AsyncGenerator<Row> {
  let after: readonly [number, string, string] = [-1, '', ''];
  for (;;) {
    const { rows } = await reader.query<Row>(WINDOWS, [...after]);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = [last.struct_id, last.working_ion, last.energy_scale];
  }
}
