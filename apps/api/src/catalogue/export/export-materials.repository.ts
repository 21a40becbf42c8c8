/** Materials as lines of the import format, streamed in order of their id: what the site shows can be recomputed from it. */
import { sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { storedMaterials, type StoredMaterial } from '../stored-material.ts';

export interface ExportFilter {
  /** Exactly this chemical system, and with `withSubsystems` those inside it. */
  readonly elements?: readonly string[];
  readonly withSubsystems?: boolean;
}

/** Materials read at once: bounds memory whatever the size of the catalogue. */
const PAGE_ROWS = 500;

export async function* exportRows(
  { readDb }: Pick<Database, 'readDb'>,
  { elements, withSubsystems = false }: ExportFilter = {},
): AsyncGenerator<StoredMaterial> {
  const wanted = elements && sql`${[...elements]}::text[]`;
  const inside = wanted && sql<boolean>`elements <@ ${wanted}`;
  const exactly = wanted && sql<boolean>`elements <@ ${wanted} AND elements @> ${wanted}`;
  const condition = withSubsystems ? inside : exactly;
  for (let after = 0; ; ) {
    const page = storedMaterials(readDb).where('material.struct_id', '>', after);
    const rows = await (condition ? page.where(condition) : page)
      .orderBy('material.struct_id')
      .limit(PAGE_ROWS)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.structId;
  }
}
