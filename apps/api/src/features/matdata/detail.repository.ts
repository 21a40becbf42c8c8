/** Everything stored of one material, in one round trip: only SQL. */
import type { BandStructureJson, DensityOfStatesJson } from '@unitcell/contract';
import type { CompactCell } from '@unitcell/crystal';
import type { Database } from '../../plugins/database.ts';

export interface StoredEnergyScale {
  readonly functional: string;
  readonly formation_energy_per_atom: number | null;
  readonly energy_above_hull: number | null;
  readonly decomposition: readonly { structId: number; formula: string; fraction: number }[] | null;
  readonly release_id: number | null;
  readonly source: Record<string, unknown>;
}

export interface StoredMaterial {
  readonly struct_id: number;
  readonly formula: string;
  readonly formula_reduced: string;
  readonly elements: readonly string[];
  readonly nsites: number;
  readonly space_group_number: number;
  readonly space_group: string;
  readonly hall: string;
  readonly point_group: string;
  readonly crystal_system: string;
  readonly lattice_type: string;
  readonly density: number;
  readonly functional: string | null;
  readonly energy: number | null;
  readonly energy_per_atom: number | null;
  readonly formation_energy_per_atom: number | null;
  readonly energy_above_hull: number | null;
  readonly band_gap: number | null;
  readonly band_gap_type: string | null;
  readonly fermi_energy: number | null;
  readonly total_magnetization: number | null;
  readonly name_en: string | null;
  readonly name_zh: string | null;
  readonly source_name: string;
  readonly source_id: string;
  readonly source_licence: string;
  readonly source_url: string | null;
  readonly provenance: Record<string, unknown>;
  readonly primitive: CompactCell;
  readonly conventional: CompactCell;
  readonly wyckoffs: readonly string[];
  readonly symprec: number;
  readonly energy_scales: readonly StoredEnergyScale[] | null;
  readonly band_structures: readonly BandStructureJson[] | null;
  readonly densities_of_states: readonly DensityOfStatesJson[] | null;
  readonly elastic_tensor: number[][] | null;
  readonly dielectric: { electronic: number[][]; total: number[][] | null } | null;
  readonly piezoelectric_total: number[][] | null;
  readonly release: { id: number; date: string } | null;
}

const DETAIL_SQL = `
  SELECT material.struct_id, formula, formula_reduced, elements, nsites, space_group_number, space_group, hall, point_group,
    crystal_system, lattice_type, density, functional, energy, energy_per_atom, formation_energy_per_atom,
    energy_above_hull, band_gap, band_gap_type, fermi_energy, total_magnetization, name_en, name_zh, source_name,
    source_id, source_licence, source_url, provenance, cells.primitive, cells.conventional, cells.wyckoffs, cells.symprec,
    (SELECT jsonb_agg(to_jsonb(scale) - 'struct_id' ORDER BY scale.functional = material.functional DESC, scale.functional)
       FROM material_energy AS scale WHERE scale.struct_id = material.struct_id) AS energy_scales,
    (SELECT jsonb_agg(data ORDER BY functional) FROM band_structure AS bands WHERE bands.struct_id = material.struct_id) AS band_structures,
    (SELECT jsonb_agg(data ORDER BY functional) FROM density_of_states AS dos WHERE dos.struct_id = material.struct_id) AS densities_of_states,
    (SELECT tensor FROM elastic_tensor AS elastic WHERE elastic.struct_id = material.struct_id) AS elastic_tensor,
    (SELECT jsonb_build_object('electronic', electronic, 'total', total) FROM dielectric_tensor AS dielectric
       WHERE dielectric.struct_id = material.struct_id) AS dielectric,
    (SELECT total FROM piezoelectric_tensor AS piezo WHERE piezo.struct_id = material.struct_id) AS piezoelectric_total,
    (SELECT jsonb_build_object('id', release.id, 'date', release.finished_at)
       FROM material_energy AS scale JOIN release ON release.id = scale.release_id
       WHERE scale.struct_id = material.struct_id AND scale.functional = material.functional) AS release
  FROM material JOIN material_structure AS cells USING (struct_id)
  WHERE material.struct_id = $1`;

export type DetailRepository = ReturnType<typeof detailRepository>;

export function detailRepository({ readPool }: Pick<Database, 'readPool'>) {
  return {
    async byStructId(structId: number): Promise<StoredMaterial | null> {
      const { rows } = await readPool.query<StoredMaterial>({
        name: 'material-detail',
        text: DETAIL_SQL,
        values: [structId],
      });
      return rows[0] ?? null;
    },
  };
}
