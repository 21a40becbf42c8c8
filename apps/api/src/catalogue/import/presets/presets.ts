/** Maps for what is published in one shape: chosen by what a document has. One entry each; docs/importing.md walks through them. */
import { type ImportMap, importMap, isMeantFor } from '../map/import-map.ts';

const PRESETS: readonly ImportMap[] = [
  // Materials Project, `MPRester.materials.summary.search`: energies of its mixed scheme of GGA, GGA+U and r2SCAN.
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
  // Alexandria, `{"entries": [ComputedStructureEntry …]}`: the functional is told by the file's name only, so --scale is wanted.
  {
    recognise: ['structure', 'energy', 'data.mat_id'],
    structure: { from: 'structure', form: 'pymatgen' },
    source: { name: 'Alexandria', id: 'data.mat_id', licence: 'CC BY 4.0' },
    energy: { from: 'energy', unit: 'eV/cell' },
    band_gap: { from: 'data.band_gap_ind', unit: 'eV' },
    efermi: { from: 'data.dos_ef', unit: 'eV' },
    total_magnetization: { from: 'data.total_mag', unit: 'μB/cell' },
  },
  // JARVIS-DFT, the array of jdft_3d.json. Its hull distance is left out, ours is derived.
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
    provenance: { band_gap_tbmbj_ev: { from: 'mbj_bandgap' }, spin_orbit_spillage: { from: 'spillage' } },
  },
  // OQMD by OPTIMADE: formation energies in its own fields.
  {
    recognise: ['id', 'attributes.lattice_vectors', 'attributes._oqmd_delta_e'],
    structure: { from: 'attributes', form: 'optimade' },
    source: { name: 'OQMD', id: 'attributes._oqmd_entry_id', licence: 'CC BY 4.0' },
    scale: 'PBE (OQMD)',
    formation_energy: { from: 'attributes._oqmd_delta_e', unit: 'eV/atom' },
    band_gap: { from: 'attributes._oqmd_band_gap', unit: 'eV' },
  },
].map((map) => importMap.parse(map));

export const presetFor = (document: unknown): ImportMap | undefined =>
  PRESETS.find((map) => isMeantFor(map, document));
