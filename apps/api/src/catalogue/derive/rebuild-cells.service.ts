/**
 * Brings the cells of materials that an older version stored to the settings of today. Page by page, each in a transaction of
 * its own: it can be stopped and started again at any time.
 */
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database } from '../../infra/database.ts';
import { json } from '../../infra/sql.ts';
import type { CatalogueThreads } from '../open-catalogue-threads.ts';
import type { RenewedCells } from './renew-cells.ts';

/** Materials read and written at a time: a second or two of work. */
const PAGE = 100;

export interface CellsReport {
  readonly materials: number;
  /** Materials whose cell would be another one: they stay as they are. */
  readonly left: readonly number[];
}

export function rebuildCells({ db }: Pick<Database, 'db'>, threads: CatalogueThreads) {
  const pageAfter = (structId: number) =>
    db
      .selectFrom('material_structure')
      .select(['struct_id', 'primitive'])
      .where('struct_id', '>', structId)
      .where('is_given_kept', '=', false)
      .orderBy('struct_id')
      .limit(PAGE)
      .execute();

  const store = (renewed: readonly (readonly [structId: number, cells: RenewedCells])[]) =>
    db.transaction().execute(async (tx) => {
      for (const [structId, cells] of renewed) {
        await tx
          .updateTable('material_structure')
          .set({
            given: json(cells.given),
            rotation: json(cells.rotation),
            primitive: json(cells.primitive),
            conventional: json(cells.conventional),
            stated: json(cells.stated),
            wyckoffs: [...cells.wyckoffs],
            symprec: cells.symprec,
          })
          .where('struct_id', '=', structId)
          .execute();
        await tx
          .updateTable('material')
          .set({
            space_group_number: cells.spaceGroupNumber,
            space_group: cells.spaceGroup,
            hall: cells.hall,
            point_group: cells.pointGroup,
            crystal_system: cells.crystalSystem,
            lattice_type: cells.latticeType,
            volume: cells.volume,
          })
          .where('struct_id', '=', structId)
          .execute();
      }
      await announceCatalogueChange(tx);
    });

  return async function rebuild(): Promise<CellsReport> {
    let materials = 0;
    const left: number[] = [];
    for (let page = await pageAfter(-1); page.length > 0; page = await pageAfter(page.at(-1)!.struct_id)) {
      const cells = await threads.run(
        'renewCells',
        page.map(({ primitive }) => primitive),
      );
      const ids = page.map(({ struct_id }) => struct_id);
      left.push(...ids.filter((_, i) => cells[i] === null));
      await store(ids.flatMap((id, i) => (cells[i] ? [[id, cells[i]] as const] : [])));
      materials += ids.length;
    }
    return { materials, left };
  };
}
