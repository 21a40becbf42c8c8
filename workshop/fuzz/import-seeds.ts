/** Sound sources of imports: documents as they are published, tables, maps, packed files and archives. */
import { gzipSync } from 'node:zlib';
import { toPymatgenDict, writeCif } from '@unitcell/crystal';
import { zipOf } from '../../apps/api/src/testing/zip-of.ts';
import { rutile } from '../../packages/crystal/src/testing/rutile.ts';
import { IMPORT_LINES } from './seeds.ts';

/** Rock salt in its primitive cell, a = 5.64 Å. */
const matrix = [
  [0, 2.82, 2.82],
  [2.82, 0, 2.82],
  [2.82, 2.82, 0],
];
const cartesian = [
  [0, 0, 0],
  [2.82, 2.82, 2.82],
];
const structure = {
  lattice: { matrix },
  sites: ['Na', 'Cl'].map((element, i) => ({ species: [{ element, occu: 1 }], abc: [i / 2, i / 2, i / 2] })),
};
const optimade = {
  lattice_vectors: matrix,
  cartesian_site_positions: cartesian,
  species_at_sites: ['Na', 'Cl'],
  species: ['Na', 'Cl'].map((name) => ({ name, chemical_symbols: [name], concentration: [1] })),
};

const NOMAD = {
  metadata: { entry_id: 'zQJMKax7xk384h_rx7VW' },
  run: [{ calculation: [{ energy: { total: { value: -1.0252e-18 } } }] }],
  results: {
    method: { simulation: { program_name: 'VASP', dft: { xc_functional_names: ['GGA_X_PBE'] } } },
    properties: {
      structures: {
        structure_original: {
          lattice_vectors: matrix.map((row) => row.map((x) => x * 1e-10)),
          cartesian_site_positions: cartesian.map((row) => row.map((x) => x * 1e-10)),
          species_at_sites: ['Na', 'Cl'],
        },
      },
      electronic: { band_structure_electronic: [{ band_gap: [{ value: 8.01e-19 }] }] },
    },
  },
};

const AFLOW = {
  auid: 'aflow:0123456789abcdef',
  aurl: 'aflowlib.duke.edu:AFLOWDATA/x',
  geometry: [3.988, 3.988, 3.988, 60, 60, 60],
  positions_fractional: [
    [0, 0, 0],
    [0.5, 0.5, 0.5],
  ],
  species: ['Cl', 'Na'],
  composition: [1, 1],
  enthalpy_formation_atom: -1.78,
  Egap: 5.1,
  spin_cell: 0,
};

const kpoints = [
  [0, 0, 0],
  [0.25, 0, 0.25],
  [0.5, 0, 0.5],
];
const BANDS = {
  '@class': 'BandStructureSymmLine',
  structure,
  lattice_rec: { matrix: matrix.map((row) => row.map((x) => 2 - x)) },
  efermi: 1.2,
  kpoints,
  bands: {
    '1': [
      [-3, -2.5, -2],
      [4, 4.5, 5],
    ],
  },
  labels_dict: { GAMMA: kpoints[0], X: kpoints[2] },
  branches: [{ start_index: 0, end_index: 2, name: 'GAMMA-X' }],
  band_gap: { energy: 6, direct: true },
};
const DOS = {
  '@class': 'CompleteDos',
  structure,
  efermi: 1.2,
  energies: [-3, -1, 1, 3],
  densities: { '1': [0, 2, 1, 0], '-1': [0, 2, 1, 0] },
  pdos: [
    { s: { densities: { '1': [0, 1, 0, 0], '-1': [0, 1, 0, 0] } } },
    { px: { densities: { '1': [0, 1, 1, 0] } } },
  ],
};

/** Bands and densities of states of pymatgen, by themselves and in their wrapper. */
export const ELECTRONS: readonly unknown[] = [
  BANDS,
  DOS,
  { material_id: 'mp-22862', structure, bandstructure: BANDS, dos: DOS },
];

/** What the presets know, and the forms that are known without one. */
export const DOCUMENTS: readonly unknown[] = [
  {
    material_id: 'mp-22862',
    structure,
    formation_energy_per_atom: -2.1,
    band_gap: 5,
    efermi: 0.9,
    total_magnetization: 0,
    theoretical: false,
    builder_meta: { database_version: '2025.1' },
  },
  {
    '@class': 'ComputedStructureEntry',
    structure,
    energy: -6.8,
    correction: 0,
    parameters: { run_type: 'GGA', hubbards: {} },
    data: { mat_id: 'agm1', band_gap_ind: 5.1, total_mag: 0.2, dos_ef: 1.1 },
  },
  {
    entry_id: 'mp-1',
    structure,
    energy: -6.8,
    correction: -1.2,
    parameters: { run_type: 'GGA+U', hubbards: { Fe: 5.3 } },
    data: { oxidation_states: { Na: 1, Cl: -1 } },
  },
  {
    jid: 'JVASP-23862',
    atoms: { lattice_mat: matrix, coords: cartesian, elements: ['Na', 'Cl '], cartesian: true },
    formation_energy_peratom: -1.9,
    optb88vdw_bandgap: '5.2',
    magmom_oszicar: 'na',
  },
  {
    id: '4061',
    type: 'structures',
    attributes: { ...optimade, _oqmd_delta_e: -2.05, _oqmd_band_gap: 5, _oqmd_entry_id: 4061 },
  },
  { id: '1', type: 'structures', attributes: { ...optimade, dimension_types: [1, 1, 0] } },
  AFLOW,
  {
    ...AFLOW,
    geometry: '3.988,3.988,3.988,60,60,60',
    positions_fractional: '0,0,0;0.5,0.5,0.5',
    species: 'Cl,Na',
    composition: '1,1',
  },
  NOMAD,
  { entry_id: 'x', archive: NOMAD },
];

/** Pages of an OPTIMADE provider. */
export const PAGES: readonly unknown[] = [
  {
    data: [{ id: '1', type: 'structures', attributes: optimade }],
    links: { next: null },
    meta: { data_returned: 1, more_data_available: false },
  },
  { data: [{ id: '2', attributes: optimade }], links: { next: { href: '/v1/structures?page=2' } } },
];

export const MAPS: readonly string[] = [
  `structure: { from: crystal, form: pymatgen }
source: { name: Group X, id: key, licence: CC BY 4.0, url: "https://example.org/{id}" }
scale: PBE (own)
energy: { from: results.total, unit: Ry/fu }
formation_energy: { from: results.heat, unit: kJ/mol/fu }
total_magnetization: { from: results.moment, unit: μB/atom }
elastic_tensor: { from: results.c, unit: kbar }
provenance:
  code: { from: results.code }
`,
  `recognise: [key]
structure:
  form: &form pymatgen
  from: crystal
source:
  name: *form
band_gap: { from: results.-1.gap, unit: eV }
`,
];

export const MAPPED_DOCUMENT = {
  key: 7,
  crystal: structure,
  results: { total: -1, heat: -411.12, moment: 0.5, c: Array(6).fill(Array(6).fill(500)), code: 'x' },
};

export const TABLES: readonly string[] = [
  'material_id,band_gap,note\nmp-7,1.5,"made, then ""measured"""\n1,2.5,\n',
  'MaterialId,Formation Energy Per Atom,Bandgap,Dimensionality Cheon\n0,-2.05,5.0,3D\n1,-1,,\n',
];

/** Bytes of a .tar with these files: heads of 512 bytes (POSIX.1-1988, ustar), contents padded to that. */
function tarOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const head = Buffer.alloc(512);
    head.write(name, 0);
    head.write('0000644\0', 100);
    head.write(`${content.length.toString(8).padStart(11, '0')} `, 124);
    head.write('ustar\x0000', 257);
    head.write('0', 156);
    head.fill(' ', 148, 156);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [head, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** A line of simple cubic polonium, packed by zstd 1.5 (level 19), xz 5.4 (-9) and bzip2 1.0. */
const ZST =
  'KLUv/SS29QMAkogZF4Btxpj+m3sMs9IVtGoMCAOMb8xJYgUDQIyvb2O2OeUcPmk9cefG+i4H80BNVEtvyHGyKOhQa815U6xDZpdV' +
  '1rV13tPS30L3zshYqpVMpUpiCIa19Mg98Fiag/BQnvR9INigB76nCAgQmnp7DBFvssDnJQYAAMJszQsTUZlv2Q==';
const XZ =
  '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4AC0AIldAD2IimeED9Fj4oTKpT12VHdAhjk/eJLX66JUvt0FTP0tFeF6YYFs8ksEfwvZ' +
  'jIljbgmkw8rmOXaty0PjyCNUmLSZonYbjMecNVp6KRnRkL5iHSBqpDAhGoBoba/Mx1YYztjo92cBslvJYUG7H58hxAaGz1EK5EeD' +
  'fvKlJgTgdDMNB83iQc6j494AAAAAAG9xy1m3Ay5MAAGlAbUBAACvqYqcscRn+wIAAAAABFla';
const BZ2 =
  'QlpoOTFBWSZTWbrNE1IAAFdbgAAQEAVpEEQKPifeWiAAkDGAAmAAJg00jUYiZDTxJpsUxHS/PzsztS9wySG2CSQUIXepTcT4BIDx' +
  'NKiIJAgqiaPSIRGeGVIwEYudna1v3dWtg8Vq4yZRjXVzZdB7NzB0iNlUjCsNREMHgeNHwzMhLZsodUohvOgwc/4u5IpwoSF1miak';

const LINES = Buffer.from(IMPORT_LINES.map((line) => JSON.stringify(line)).join('\n'));
const MEMBERS = {
  'a/x.jsonl': LINES,
  'a/y.jsonl.gz': gzipSync(LINES),
  'a/z.json': Buffer.from(JSON.stringify({ data: [{ structure: toPymatgenDict(rutile), energy: -52 }] })),
  'b/rutile.cif': Buffer.from(writeCif(rutile)),
  'readme.txt': Buffer.from('hello'),
};

/** Packed files and archives by a name that tells their packing. */
export const PACKED: Readonly<Record<string, Buffer>> = {
  'x.jsonl': LINES,
  'x.json': Buffer.from(JSON.stringify(IMPORT_LINES)),
  'x.jsonl.gz': gzipSync(LINES),
  'x.jsonl.zst': Buffer.from(ZST, 'base64'),
  'x.jsonl.xz': Buffer.from(XZ, 'base64'),
  'x.jsonl.bz2': Buffer.from(BZ2, 'base64'),
  'x.tar': tarOf(MEMBERS),
  'x.tgz': gzipSync(tarOf(MEMBERS)),
  'x.zip': zipOf(MEMBERS),
};
