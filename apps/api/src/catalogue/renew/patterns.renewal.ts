/** Stored powder patterns, made from the structures as given. */
import { PACKED_PATTERN_VERSION } from '@unitcell/diffraction';
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';
import { anyOf } from '../../infra/sql.ts';
import { type Renewal, shareOut } from './renewal.ts';

/** Those that are there and stay until the transaction ends: a material that was deleted meanwhile gets nothing. */
const cellsOf = (tx: Db, structIds: readonly number[]) =>
  tx
    .selectFrom('material_structure')
    .innerJoin('material', 'material.struct_id', 'material_structure.struct_id')
    .select(['material.struct_id', 'given'])
    .where('material.struct_id', '=', anyOf(structIds, 'int'))
    .forKeyShare()
    .execute();

export const patternsRenewal: Renewal = {
  kind: 'patterns',
  isOld: sql<boolean>`NOT EXISTS (
    SELECT FROM powder_pattern WHERE powder_pattern.struct_id = material_structure.struct_id
      AND substring(pattern FROM 1 FOR 1) = ${Buffer.of(PACKED_PATTERN_VERSION)})`,
  isMadeOnDemand: sql<boolean>`true`,
  page: 400,
  async renew(tx, threads, structIds) {
    const cells = await cellsOf(tx, structIds);
    if (cells.length === 0) return { changed: 0, left: [] };
    const patterns = await shareOut(threads, cells, (part) =>
      threads.run(
        'packCells',
        part.map(({ given }) => given),
      ),
    );
    const stored = await tx
      .insertInto('powder_pattern')
      .values(cells.map(({ struct_id }, i) => ({ struct_id, pattern: Buffer.from(patterns[i]!) })))
      .onConflict((conflict) =>
        conflict
          .column('struct_id')
          .doUpdateSet(({ ref }) => ({ pattern: ref('excluded.pattern') }))
          .whereRef('powder_pattern.pattern', 'is distinct from', 'excluded.pattern'),
      )
      .returning('powder_pattern.struct_id')
      .execute();
    return { changed: stored.length, left: [] };
  },
};
