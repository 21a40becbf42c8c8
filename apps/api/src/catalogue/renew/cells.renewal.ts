/** Cells in the settings of today, with what stands on them: patterns and arrangements. */
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';
import { anyOf, json } from '../../infra/sql.ts';
import { arrangementsRenewal } from './arrangements.renewal.ts';
import { patternsRenewal } from './patterns.renewal.ts';
import type { RenewedCells } from './renew-cells.ts';
import { type Renewal, shareOut } from './renewal.ts';

/** Stored before the structure as given was kept; the symmetry was not stated then. */
const isOld = sql<boolean>`(NOT is_given_kept AND stated = '[]')`;

async function storeCells(tx: Db, structId: number, cells: RenewedCells): Promise<void> {
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

export const cellsRenewal: Renewal = {
  kind: 'cells',
  isOld,
  isMadeOnDemand: isOld,
  page: 100,
  async renew(tx, threads, structIds) {
    const rows = await tx
      .selectFrom('material_structure')
      .select(['struct_id', 'primitive'])
      .where('struct_id', '=', anyOf(structIds, 'int'))
      .execute();
    const cells = await shareOut(threads, rows, (part) =>
      threads.run(
        'renewCells',
        part.map(({ primitive }) => primitive),
      ),
    );
    const left: number[] = [];
    const changed: number[] = [];
    for (const [i, { struct_id }] of rows.entries()) {
      const renewed = cells[i];
      if (renewed) await storeCells(tx, struct_id, renewed);
      (renewed ? changed : left).push(struct_id);
    }
    await patternsRenewal.renew(tx, threads, changed);
    await arrangementsRenewal.renew(tx, threads, changed);
    return { changed: changed.length, left };
  },
};
