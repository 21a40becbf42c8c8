/** Materials as lines of the import format, streamed in order of their id: what the site shows can be recomputed from it. */
import { STORED_MATERIAL, type StoredMaterial } from '../stored-material.ts';

/** Sends SQL: a pool, or a transaction that sees the catalogue at one moment. */
export interface Reader {
  query<Row extends object>(sql: string, values: unknown[]): Promise<{ rows: Row[] }>;
}

export interface ExportFilter {
  /** Exactly this chemical system, and with `withSubsystems` those inside it. */
  readonly elements?: readonly string[];
  readonly withSubsystems?: boolean;
}

/** Materials read at once: bounds memory whatever the size of the catalogue. */
const PAGE_ROWS = 500;

const PAGE_SQL = `
  SELECT ${STORED_MATERIAL}
  FROM material JOIN material_structure USING (struct_id)
  WHERE material.struct_id > $1
    AND ($2::text[] IS NULL OR CASE WHEN $3 THEN elements <@ $2 ELSE elements <@ $2 AND elements @> $2 END)
  ORDER BY material.struct_id LIMIT ${PAGE_ROWS}`;

export async function* exportRows(
  { readPool }: { readonly readPool: Reader },
  { elements, withSubsystems = false }: ExportFilter = {},
): AsyncGenerator<StoredMaterial> {
  for (let after = 0; ; ) {
    const { rows } = await readPool.query<StoredMaterial>(PAGE_SQL, [
      after,
      elements ?? null,
      withSubsystems,
    ]);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.structId;
  }
}
