/** Stored material → the detail answer of the contract (spec §3 "Material detail"). */
import type { MaterialDetail, StructureJson } from '@unitcell/contract';
import {
  cellVolume,
  compositionOf,
  fromCompactCell,
  latticeParameters,
  type Structure,
  toPymatgenDict,
  writeCif,
} from '@unitcell/crystal';
import { bandDiagramSvg } from './band-diagram-svg.ts';
import type { StoredEnergyScale, StoredMaterial } from './detail.repository.ts';
import { toElasticDict, toEpsilonPiezo } from './tensor-properties.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const toJson = (structure: Structure): StructureJson => {
  const { lattice, sites } = toPymatgenDict(structure);
  return { lattice: { matrix: lattice.matrix }, sites } as unknown as StructureJson;
};

function toScale(scale: StoredEnergyScale): MaterialDetail['energy_scales'][number] {
  return {
    functional: scale.functional,
    formation_energy_per_atom: scale.formation_energy_per_atom,
    e_above_hull: scale.energy_above_hull,
    decomposition: (scale.decomposition ?? []).map(({ structId, formula, fraction }) => ({
      struct_id: structId,
      formula,
      fraction,
    })),
    release: scale.release_id,
    source: scale.source,
  };
}

/** `0.5 Li2O + 0.5 CoO`: shares of atoms, as hulls give them. */
function decompositionText(scale: StoredEnergyScale | undefined): string {
  const parts = scale?.decomposition ?? [];
  return parts.map(({ formula, fraction }) => `${Number(fraction.toFixed(4))} ${formula}`).join(' + ');
}

function cifOf(structure: Structure, stored: StoredMaterial, kind: string): string {
  return writeCif(structure, { name: `${stored.formula_reduced}-${stored.struct_id}-${kind}` });
}

export function toMaterialDetail(stored: StoredMaterial): MaterialDetail {
  const primitive = fromCompactCell(stored.primitive);
  const conventional = fromCompactCell(stored.conventional);
  const composition = compositionOf(primitive);
  const scales = stored.energy_scales ?? [];
  const own = scales.find((scale) => scale.functional === stored.functional);
  const bands = stored.band_structures ?? [];
  const densities = stored.densities_of_states ?? [];
  const { provenance } = stored;
  const hasBands = (functional: string): 'block' | 'none' =>
    bands.some((band) => band.functional.startsWith(functional)) ? 'block' : 'none';
  const diagram = (functional: string): string =>
    bandDiagramSvg(
      bands.find((band) => band.functional.startsWith(functional)),
      densities.find((density) => density.functional.startsWith(functional)),
      `${stored.formula}, ${functional}`,
    );
  return {
    formula: stored.formula,
    struct_id: stored.struct_id,
    nelements: stored.elements.length,
    nsites: stored.nsites,
    elements: [...stored.elements],
    elements_type: stored.elements.length,
    elements_quantity: stored.elements.map((element) => composition[element] ?? 0),
    names: { en: stored.name_en, zh: stored.name_zh },
    lattice: {
      ...latticeParameters(conventional.latticeVectors),
      volume: cellVolume(conventional.latticeVectors),
    },
    density: stored.density,
    energies: {
      energy: stored.energy,
      energy_per_atom: stored.energy_per_atom,
      energy_vdw: null,
      energy_per_atom_vdw: null,
      e_above_hull: stored.energy_above_hull,
      formation_energy_per_atom: stored.formation_energy_per_atom,
      efermi: stored.fermi_energy,
    },
    energy_scales: scales.map(toScale),
    symmetry_data: {
      hall: stored.hall,
      space_group: stored.space_group,
      space_group_number: stored.space_group_number,
      point_group: stored.point_group,
      crystal_system: stored.crystal_system,
      lattice_type: stored.lattice_type,
      symprec: stored.symprec,
      wyckoffs: [...stored.wyckoffs],
    },
    run_type: stored.functional ?? '',
    calculated_at: text(provenance.calculated_at),
    vasp_version: text(provenance.engine_version),
    potcar_symbols: Array.isArray(provenance.potcar_symbols) ? provenance.potcar_symbols.map(String) : [],
    hubbards: (provenance.hubbards as Record<string, number> | undefined) ?? {},
    band_gap_type: stored.band_gap_type ?? '',
    band_gap: stored.band_gap,
    total_magnetization: stored.total_magnetization,
    decomposition: decompositionText(own),
    output_structs: {
      jsmol_struct: writeCif(conventional, { name: stored.formula_reduced }),
      output_struct_primitive: cifOf(primitive, stored, 'primitive'),
      output_struct_conventional: cifOf(conventional, stored, 'conventional'),
    },
    structures: { primitive: toJson(primitive), conventional: toJson(conventional) },
    elec_diagram: {
      pbe_elec_diagram_display: hasBands('PBE'),
      pbe_elec_diagram: diagram('PBE'),
      hse_elec_diagram_display: hasBands('HSE'),
      hse_elec_diagram: diagram('HSE'),
      band_structures: [...bands],
      densities_of_states: [...densities],
    },
    epsilon_piezo: toEpsilonPiezo(stored),
    elastic_dict: toElasticDict(stored, primitive),
    source: {
      name: stored.source_name,
      id: stored.source_id,
      licence: stored.source_licence,
      url: stored.source_url,
    },
    provenance,
    release: stored.release,
  };
}
