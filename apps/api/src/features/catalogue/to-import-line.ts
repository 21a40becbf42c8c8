/** Stored material → a line of the import format. Empty fields are left out; derived energies go along to be compared with. */
import { atomCount, compositionOf, fromCompactCell } from '@unitcell/crystal';
import type { StoredExport } from './export-materials.repository.ts';

/** The id ranges above this belong to Run4U; another installation numbers such materials itself. */
const LAST_IMPORTED_ID = 1_999_999_999;

function energiesOf(stored: StoredExport, atoms: number): object {
  const all = (stored.energies ?? []).map((energy) => ({
    functional: energy.functional,
    ...(energy.energy_per_atom === null ? {} : { energy: energy.energy_per_atom * atoms }),
    ...(energy.given_formation_energy === null
      ? {}
      : { formation_energy_per_atom: energy.given_formation_energy }),
    ...(Object.keys(energy.source).length > 0 ? { source: energy.source } : {}),
  }));
  const own = all.find((energy) => energy.functional === stored.functional);
  const others = all.filter((energy) => energy !== own);
  return {
    ...(own ? { functional: own.functional } : {}),
    ...(own?.energy === undefined ? {} : { energy: own.energy }),
    ...(own?.formation_energy_per_atom === undefined
      ? {}
      : { formation_energy_per_atom: own.formation_energy_per_atom }),
    energies: others,
  };
}

/** Removes what is null: absent and unknown are the same in the import format. */
const known = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Partial<T>;

/** A line that `importLine` accepts (a test holds it against the schema). */
export function toImportLine(stored: StoredExport): Readonly<Record<string, unknown>> {
  const structure = fromCompactCell(stored.primitive);
  const names = known({ en: stored.name_en, zh: stored.name_zh });
  return {
    ...(stored.struct_id <= LAST_IMPORTED_ID ? { struct_id: stored.struct_id } : {}),
    structure: {
      lattice: { matrix: structure.latticeVectors },
      sites: structure.sites.map((site) => ({
        species: site.species.map(({ element, occupancy }) => ({ element, occu: occupancy })),
        abc: [...site.fractionalCoords],
      })),
    },
    ...energiesOf(stored, atomCount(compositionOf(structure))),
    ...known({
      band_gap: stored.band_gap,
      band_gap_type: stored.band_gap_type,
      efermi: stored.fermi_energy,
      total_magnetization: stored.total_magnetization,
      elastic_tensor: stored.elastic,
      dielectric: stored.dielectric,
      piezoelectric_total: stored.piezo,
      topology: stored.topology,
      bands: stored.bands,
      dos: stored.dos,
    }),
    is_hubbard: stored.is_hubbard,
    ...(Object.keys(names).length > 0 ? { names } : {}),
    source: {
      name: stored.source_name,
      id: stored.source_id,
      licence: stored.source_licence,
      ...(stored.source_url === null ? {} : { url: stored.source_url }),
    },
    ...(Object.keys(stored.provenance).length > 0 ? { provenance: stored.provenance } : {}),
    derived: (stored.energies ?? []).map((energy) => ({
      functional: energy.functional,
      formation_energy_per_atom: energy.formation_energy_per_atom,
      energy_above_hull: energy.energy_above_hull,
    })),
  };
}
