/** Materials as lines of the import format, streamed in order of their id: what the site shows can be recomputed from it. */
import type { CompactCell } from '@unitcell/crystal';
import type { Database } from '../../plugins/database.ts';

export interface ExportFilter {
  /** Exactly this chemical system, and with `withSubsystems` those inside it. */
  readonly elements?: readonly string[];
  readonly withSubsystems?: boolean;
}

export interface StoredExport {
  readonly struct_id: number;
  readonly primitive: CompactCell;
  readonly energies:
    | readonly {
        readonly functional: string;
        readonly energy_per_atom: number | null;
        readonly given_formation_energy: number | null;
        readonly formation_energy_per_atom: number | null;
        readonly energy_above_hull: number | null;
        readonly source: Record<string, unknown>;
      }[]
    | null;
  readonly functional: string | null;
  readonly band_gap: number | null;
  readonly band_gap_type: string | null;
  readonly fermi_energy: number | null;
  readonly total_magnetization: number | null;
  readonly is_hubbard: boolean;
  readonly name_en: string | null;
  readonly name_zh: string | null;
  readonly source_name: string;
  readonly source_id: string;
  readonly source_licence: string;
  readonly source_url: string | null;
  readonly provenance: Record<string, unknown>;
  readonly bands: readonly object[] | null;
  readonly dos: readonly object[] | null;
  readonly elastic: readonly (readonly number[])[] | null;
  readonly dielectric: object | null;
  readonly piezo: readonly (readonly number[])[] | null;
  readonly topology: object | null;
}

/** Materials read at once: bounds memory whatever the size of the catalogue. */
const PAGE_ROWS = 500;

const PAGE_SQL = `
  SELECT material.struct_id, primitive, functional, band_gap, band_gap_type, fermi_energy, total_magnetization, is_hubbard,
    name_en, name_zh, source_name, source_id, source_licence, source_url, provenance,
    (SELECT jsonb_agg(to_jsonb(scale) ORDER BY scale.functional = material.functional DESC, scale.functional)
       FROM material_energy AS scale WHERE scale.struct_id = material.struct_id) AS energies,
    (SELECT jsonb_agg(data ORDER BY bands.functional) FROM band_structure AS bands WHERE bands.struct_id = material.struct_id) AS bands,
    (SELECT jsonb_agg(data ORDER BY dos.functional) FROM density_of_states AS dos WHERE dos.struct_id = material.struct_id) AS dos,
    (SELECT tensor FROM elastic_tensor AS elastic WHERE elastic.struct_id = material.struct_id) AS elastic,
    (SELECT jsonb_strip_nulls(jsonb_build_object('electronic', electronic, 'total', total))
       FROM dielectric_tensor AS dielectric WHERE dielectric.struct_id = material.struct_id) AS dielectric,
    (SELECT total FROM piezoelectric_tensor AS piezo WHERE piezo.struct_id = material.struct_id) AS piezo,
    (SELECT jsonb_build_object('labels', labels, 'rows', rows)
       FROM topology WHERE topology.struct_id = material.struct_id) AS topology
  FROM material JOIN material_structure USING (struct_id)
  WHERE material.struct_id > $1
    AND ($2::text[] IS NULL OR CASE WHEN $3 THEN elements <@ $2 ELSE elements <@ $2 AND elements @> $2 END)
  ORDER BY material.struct_id LIMIT ${PAGE_ROWS}`;

export async function* exportRows(
  { readPool }: Pick<Database, 'readPool'>,
  { elements, withSubsystems = false }: ExportFilter = {},
): AsyncGenerator<StoredExport> {
  for (let after = 0; ; ) {
    const { rows } = await readPool.query<StoredExport>(PAGE_SQL, [after, elements ?? null, withSubsystems]);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.struct_id;
  }
}
