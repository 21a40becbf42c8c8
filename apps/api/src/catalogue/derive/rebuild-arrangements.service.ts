/**
 * Derives anew how the atoms of every material stand. Page by page, each in a statement of its own: it can be stopped and
 * started again at any time.
 */
import type { Database } from '../../infra/database.ts';
import type { CatalogueThreads } from '../open-catalogue-threads.ts';
import { storeArrangements } from './store-arrangements.ts';

/** Materials read and written at a time: a second or two of work. */
const PAGE = 400;

/** @returns how many materials there were */
export async function rebuildArrangements(
  { db }: Pick<Database, 'db'>,
  threads: CatalogueThreads,
): Promise<number> {
  const pageAfter = (structId: number) =>
    db
      .selectFrom('material_structure')
      .innerJoin('material', 'material.struct_id', 'material_structure.struct_id')
      .select(['material.struct_id', 'primitive', 'conventional', 'wyckoffs'])
      .select('space_group_number as spaceGroupNumber')
      .where('material.struct_id', '>', structId)
      .orderBy('material.struct_id')
      .limit(PAGE)
      .execute();
  let materials = 0;
  for (let page = await pageAfter(-1); page.length > 0; page = await pageAfter(page.at(-1)!.struct_id)) {
    const made = await threads.run('arrangeCells', page);
    await storeArrangements(
      db,
      made.map((arrangement, index) => [page[index]!.struct_id, arrangement]),
    );
    materials += page.length;
  }
  return materials;
}
