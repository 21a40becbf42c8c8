/** Sound inputs that are damaged: small crystals as CIF, POSCAR and JSON, measured patterns, texts that people type. */
import {
  latticeVectorsFromParameters,
  operationsFromHallSymbol,
  orderedSite,
  type Structure,
  toPymatgenDict,
  writeCif,
  writePoscar,
} from '@unitcell/crystal';
import { rutile } from '../../packages/crystal/src/testing/rutile.ts';

/** Silicon: the diamond structure with a = 5.431 Å, in its primitive cell. */
const SILICON: Structure = {
  latticeVectors: latticeVectorsFromParameters({ a: 3.84, b: 3.84, c: 3.84, alpha: 60, beta: 60, gamma: 60 }),
  sites: [orderedSite('Si', [0, 0, 0]), orderedSite('Si', [0.25, 0.25, 0.25])],
};

const TRICLINIC: Structure = {
  latticeVectors: latticeVectorsFromParameters({ a: 5.1, b: 6.2, c: 7.3, alpha: 78, beta: 85, gamma: 101 }),
  sites: [
    orderedSite('Li', [0.1, 0.2, 0.3]),
    orderedSite('P', [0.55, 0.6, 0.12]),
    orderedSite('S', [0.8, 0.15, 0.75]),
  ],
};

const STRUCTURES = [rutile, SILICON, TRICLINIC] as const;

const rutile_GROUP = { operations: operationsFromHallSymbol('-P 4n 2n'), symbol: 'P 42/m n m', number: 136 };

export const CIFS: readonly string[] = [
  writeCif(rutile, { symmetry: rutile_GROUP }),
  ...STRUCTURES.map((structure) => writeCif(structure)),
  `data_cubic
_cell_length_a 5.463(2)
_cell_length_b 5.463(2)
_cell_length_c 5.463(2)
_cell_angle_alpha 90.
_cell_angle_beta 90.
_cell_angle_gamma 90.
_symmetry_space_group_name_H-M 'F m -3 m'
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
_atom_site_occupancy
Ca1 Ca2+ 0 0 0 1
F1 F1- 0.25 0.25 0.25 1
`,
];

export const POSCARS: readonly string[] = [
  ...STRUCTURES.map((structure) => writePoscar(structure)),
  'Cs Cl\n1.0 2.0 3.0\n4 0 0\n0 2 0\n0 0 1.4\nCs Cl\n1 1\nSelective dynamics\nCartesian\n0 0 0 T T F\n2 1 .5 F F F\n',
  'volume\n-40.03\n0 .5 .5\n.5 0 .5\n.5 .5 0\nSi\n2\nDirect\n0 0 0\n.25 .25 .25\n',
];

export const STRUCTURE_JSONS: readonly unknown[] = STRUCTURES.map((structure) => toPymatgenDict(structure));

export const IMPORT_LINES: readonly unknown[] = STRUCTURES.map((structure, index) => ({
  struct_id: index + 1,
  structure: toPymatgenDict(structure),
  energy: -8.2 * structure.sites.length,
  functional: 'PBE',
  band_gap: 1.1,
  band_gap_type: 'indirect',
  source: { name: 'fuzz', id: String(index) },
}));

/** Peaks of 2θ (degrees) and height on a falling background. */
function measured(separator: string, step: number, head: string): string {
  const peaks = [
    [27.4, 1000],
    [36.1, 450],
    [41.2, 200],
    [54.3, 550],
  ] as const;
  const lines: string[] = [];
  for (let angle = 20; angle < 60; angle += step) {
    const height = peaks.reduce(
      (sum, [at, top]) => sum + top / (1 + ((angle - at) / 0.15) ** 2),
      120 - angle + 3 * Math.sin(40 * angle),
    );
    lines.push(`${angle.toFixed(3)}${separator}${height.toFixed(2)}`);
  }
  return `${head}${lines.join('\n')}\n`;
}

export const PATTERNS: readonly string[] = [
  measured(' ', 0.1, '# two theta, counts\n'),
  measured(',', 0.2, 'angle,intensity\n'),
  measured('\t', 0.05, ''),
  measured(';', 0.2, '').replaceAll('.', ','),
];

export const FORMULAS: readonly string[] = [
  'TiO2',
  'Li(CoO2)2',
  'Li0.5CoO2',
  'CuSO4·5H2O',
  'K4[Fe(CN)6]',
  'Fe0.947O',
  '3CaO.Al2O3',
  'Li₃PS₄',
  'Li999999999NaKRbCsMg',
];

export const ELEMENT_QUERIES: readonly string[] = ['Ti-O', 'Ti-O-*', 'Li, Fe; P O', 'TiO2', 'Fe', '* *'];

export const FILTERS: readonly string[] = ['only: Al N', 'include: Al N *', 'Al N', 'include：Ti、O *', ''];

export const RADIATIONS: readonly string[] = ['CuKa', 'CuKα', '1.5406', 'MoKa', '0.1'];

export const OPTIMADE_FILTERS: readonly string[] = [
  'elements HAS ALL "Ti","O" AND NOT nelements > 3',
  'elements:elements_ratios HAS "O":> 0.5, "Ti":< 0.4',
  'chemical_formula_reduced STARTS WITH "Li" OR chemical_formula_anonymous = "A2B"',
  'structure_features HAS "disorder" OR elements LENGTH >= 3',
  '_unitcell_band_gap IS KNOWN AND last_modified > "2020-01-01T00:00:00Z"',
  'id = "12" OR _exmpl_property = 3 AND space_group_it_number = 225',
  'nsites >= 2 AND cartesian_site_positions IS KNOWN',
];

export const SCREEN_FILTERS: readonly string[] = [
  'elements HAS ALL "Ti","O" AND NOT elements HAS ANY "Pb","Cd"',
  'elements HAS ONLY "Ti","O" AND band_gap > 2 AND band_gap <= 4',
  'crystal_system = "cubic" AND (has_elastic = TRUE OR energy_above_hull <= 0.05)',
  'formula STARTS WITH "Li" OR NOT formula CONTAINS "P\\"x"',
  'elements LENGTH >= 3 AND fermi_energy IS UNKNOWN AND -1.5e-3 < formation_energy_per_atom',
  'elements:elements HAS ONLY "O":!= "Fe", < "P":"Ti"',
];
