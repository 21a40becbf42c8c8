/** The catalogue at one moment, for a dump: only SQL. */
import { sql } from 'kysely';
import type { WindowRow } from './write/tables.ts';
import type { Db } from '../../infra/database.ts';

const PAGE_ROWS = 5000;

/** Runs `work` on the catalogue as it is now, whatever happens to it meanwhile. */
export const atOneMoment = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);

/** The last finished rebuild, and how many chemical systems wait for the next. */
export async function lastRelease(tx: Db): Promise<{ release: number | null; waiting: number }> {
  const count = sql<number>`count(*)::int`.as('count');
  const { release } = await tx
    .selectFrom('release')
    .select(({ fn }) => fn.max('id').as('release'))
    .where('finished_at', 'is not', null)
    .executeTakeFirstOrThrow();
  const systems = await tx.selectFrom('dirty_system').select(count).executeTakeFirstOrThrow();
  const windows = await tx.selectFrom('dirty_window').select(count).executeTakeFirstOrThrow();
  return { release, waiting: systems.count + windows.count };
}

const windowsAfter = (tx: Db, [id, ion, scale]: readonly [number, string, string]) =>
  tx
    .selectFrom('electrochemical_window as w')
    .innerJoin('material as m', 'm.struct_id', 'w.struct_id')
    .select([
      'w.struct_id',
      'm.formula',
      'm.chemical_system',
      'w.working_ion',
      'w.functional as energy_scale',
    ])
    .select(['w.reduction_onset', 'w.oxidation_onset', 'w.release_id as release'])
    .select(['m.source_name', 'm.source_id', 'm.source_licence'])
    .where(sql<boolean>`(w.struct_id, w.working_ion, w.functional) > (${id}, ${ion}, ${scale})`)
    .orderBy('w.struct_id')
    .orderBy('w.working_ion')
    .orderBy('w.functional')
    .limit(PAGE_ROWS);

/** Every window, in order of material, ion and scale. */
export async function* windowRows(tx: Db): AsyncGenerator<WindowRow> {
  for (let after: readonly [number, string, string] = [-1, '', '']; ; ) {
    const rows = await windowsAfter(tx, after).execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = [last.struct_id, last.working_ion, last.energy_scale];
  }
}
