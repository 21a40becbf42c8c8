/**
 * Import maps for published formats, one entry each. The map is chosen by the keys of a document;
 * docs/operating/importing.md explains the formats.
 */
import { type ImportMap, importMap } from '../map/import-map-schema.ts';
import { isMeantFor } from '../map/import-map.ts';

const PRESETS: readonly ImportMap[] = [
  // Materials Project, `MPRester.materials.summary.search`: energies mix GGA, GGA+U and r2SCAN.
  {
    recognise: ['material_id', 'structure', 'formation_energy_per_atom'],
    structure: { from: 'structure', form: 'pymatgen' },
    source: {
      name: 'Materials Project',
      id: 'material_id',
      licence: 'CC BY 4.0',
      url: 'https://materialsproject.org/materials/{id}',
    },
    scale: 'MP mixed (GGA, GGA+U, r2SCAN)',
    formation_energy: { from: 'formation_energy_per_atom', unit: 'eV/atom' },
    band_gap: { from: 'band_gap', unit: 'eV' },
    efermi: { from: 'efermi', unit: 'eV' },
    total_magnetization: { from: 'total_magnetization', unit: 'μB' },
    provenance: {
      theoretical: { from: 'theoretical' },
      last_updated: { from: 'last_updated' },
      database_version: { from: 'builder_meta.database_version' },
    },
  },
  // Alexandria, `{"entries": [ComputedStructureEntry …]}`: only the file name states the functional, so
  // --scale is required.
  {
    recognise: ['structure', 'energy', 'data.mat_id'],
    structure: { from: 'structure', form: 'pymatgen' },
    source: { name: 'Alexandria', id: 'data.mat_id', licence: 'CC BY 4.0' },
    energy: { from: 'energy', unit: 'eV/cell' },
    band_gap: { from: 'data.band_gap_ind', unit: 'eV' },
    efermi: { from: 'data.dos_ef', unit: 'eV' },
    total_magnetization: { from: 'data.total_mag', unit: 'μB/cell' },
  },
  // JARVIS-DFT, the array of jdft_3d.json. Its hull distance is ignored because ours is derived. Elastic
  // constants were calculated with VASP for the conventional cell and are rounded to 0.1 GPa (Choudhary et al.,
  // Phys. Rev. B 98, 014107 (2018)). Only the diagonal of the permittivity is published.
  {
    recognise: ['jid', 'atoms.lattice_mat'],
    structure: { from: 'atoms', form: 'jarvis' },
    source: {
      name: 'JARVIS-DFT',
      id: 'jid',
      licence: 'NIST, public domain in the United States',
      url: 'https://www.ctcms.nist.gov/~knc6/static/JARVIS-DFT/{id}.xml',
    },
    scale: 'OptB88vdW (JARVIS-DFT)',
    formation_energy: { from: 'formation_energy_peratom', unit: 'eV/atom' },
    band_gap: { from: 'optb88vdw_bandgap', unit: 'eV' },
    total_magnetization: { from: 'magmom_oszicar', unit: 'μB/cell' },
    elastic_tensor: { from: 'elastic_tensor', unit: 'GPa', order: 'vasp' },
    tensor_frame: 'conventional',
    tensors_in_other_axes: 'leave out',
    provenance: {
      band_gap_tbmbj_ev: { from: 'mbj_bandgap' },
      spin_orbit_spillage: { from: 'spillage' },
      permittivity_electronic_xx: { from: 'epsx' },
      permittivity_electronic_yy: { from: 'epsy' },
      permittivity_electronic_zz: { from: 'epsz' },
      piezoelectric_strain_maximum_pm_v: { from: 'dfpt_piezo_max_dij' },
      piezoelectric_stress_maximum_c_m2: { from: 'dfpt_piezo_max_eij' },
    },
  },
  // OQMD through OPTIMADE, with formation energies in fields that only OQMD has.
  {
    recognise: ['id', 'attributes.lattice_vectors', 'attributes._oqmd_delta_e'],
    structure: { from: 'attributes', form: 'optimade' },
    source: { name: 'OQMD', id: 'attributes._oqmd_entry_id', licence: 'CC BY 4.0' },
    scale: 'PBE (OQMD)',
    formation_energy: { from: 'attributes._oqmd_delta_e', unit: 'eV/atom' },
    band_gap: { from: 'attributes._oqmd_band_gap', unit: 'eV' },
  },
  // AFLOW, the array that AFLUX returns with `$format(json),$paging(0)` (Rose et al., Comput. Mater. Sci.
  // 137, 362 (2017)).
  {
    recognise: ['auid', 'geometry', 'positions_fractional', 'species'],
    structure: { form: 'aflow' },
    source: {
      name: 'AFLOW',
      id: 'auid',
      licence: 'AFLOW: free for academic use, cite aflow.org',
      url: 'https://aflow.org/material/?id={id}',
    },
    scale: 'PBE (AFLOW)',
    formation_energy: { from: 'enthalpy_formation_atom', unit: 'eV/atom' },
    band_gap: { from: 'Egap', unit: 'eV' },
    total_magnetization: { from: 'spin_cell', unit: 'μB/cell' },
    provenance: { aurl: { from: 'aurl' }, code: { from: 'code' }, dft_type: { from: 'dft_type' } },
  },
  // NOMAD, entries of `entries/archive/query` and bare archives: SI units, raw energies of any code, so
  // --scale is required.
  ...['archive.', ''].map((root) => ({
    recognise: [`${root}metadata.entry_id`, `${root}results.properties.structures.structure_original`],
    structure: { from: `${root}results.properties.structures.structure_original`, form: 'nomad' },
    source: {
      name: 'NOMAD',
      id: `${root}metadata.entry_id`,
      licence: 'CC BY 4.0',
      url: 'https://nomad-lab.eu/prod/v1/gui/search/entries/entry/id/{id}',
    },
    energy: { from: `${root}run.-1.calculation.-1.energy.total.value`, unit: 'J/cell' },
    band_gap: {
      from: `${root}results.properties.electronic.band_structure_electronic.0.band_gap.0.value`,
      unit: 'J',
    },
    provenance: {
      program: { from: `${root}results.method.simulation.program_name` },
      engine_version: { from: `${root}results.method.simulation.program_version` },
      functional: { from: `${root}results.method.simulation.dft.xc_functional_names` },
    },
  })),
  // GNoME, CIF files of `by_id.zip` with the rows of `stable_materials_summary.csv` (Merchant et al., Nature 624, 80 (2023)).
  {
    recognise: ['crystal', 'row.MaterialId', 'row.Formation Energy Per Atom'],
    structure: { from: 'crystal', form: 'pymatgen' },
    source: { name: 'GNoME', id: 'row.MaterialId', licence: 'CC BY-NC 4.0' },
    scale: 'PBE (GNoME)',
    formation_energy: { from: 'row.Formation Energy Per Atom', unit: 'eV/atom' },
    band_gap: { from: 'row.Bandgap', unit: 'eV' },
    provenance: { dimensionality: { from: 'row.Dimensionality Cheon' } },
  },
].map((map) => importMap.parse(map));

export const presetFor = (document: unknown): ImportMap | undefined =>
  PRESETS.find((map) => isMeantFor(map, document));
