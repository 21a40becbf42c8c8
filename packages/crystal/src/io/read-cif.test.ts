import { describe, expect, it } from 'vitest';
import { compositionOf } from '../composition.ts';
import { CrystalError } from '../error.ts';
import { formulaOf } from '../formula.ts';
import { latticeParameters } from '../lattice.ts';
import { MAX_READ_SITES, MAX_TEXT_LENGTH } from './limits.ts';
import { readCif } from './read-cif.ts';
import { readStructureText, structureFormat } from './read-structure-text.ts';

interface Parts {
  cell?: string;
  symmetry?: string;
  atoms?: string;
}
const CUBE =
  '_cell_length_a 4.2\n_cell_length_b 4.2\n_cell_length_c 4.2\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\n';
const LOOP =
  'loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n_atom_site_occupancy\n';
const P1 = "loop_\n_symmetry_equiv_pos_as_xyz\n'x,y,z'\n";
const cif = ({ cell = CUBE, symmetry = P1, atoms = 'Cs1 0 0 0 1\nCl1 .5 .5 .5 1\n' }: Parts = {}): string =>
  `data_test\n${cell}${symmetry}${LOOP}${atoms}`;
const only = (text: string) => readCif(text).structures[0];
const formula = (text: string): string => formulaOf(compositionOf(only(text).structure));
const errorOf = (text: string): CrystalError => {
  try {
    readCif(text);
  } catch (error) {
    if (error instanceof CrystalError) return error;
    throw error;
  }
  throw new Error('it was read');
};

describe('readCif reads', () => {
  it.each([
    ['the plain form', cif()],
    ['a byte-order mark', `\ufeff${cif()}`],
    ['carriage returns', cif().replaceAll('\n', '\r\n')],
    ['old Macintosh line ends', cif().replaceAll('\n', '\r')],
    ['upper-case tags and words', cif().replaceAll(/_[a-z_]+|data_|loop_/g, (word) => word.toUpperCase())],
    [
      'dotted tags of newer dictionaries',
      cif().replaceAll('_atom_site_', '_atom_site.').replaceAll('_cell_', '_cell.'),
    ],
    [
      'uncertainties in brackets',
      cif({
        cell: CUBE.replaceAll('4.2', '4.200(3)'),
        atoms: 'Cs 0 0 0 1.0(1)\nCl .50(1) 0.5(2) 5.0E-1 1\n',
      }),
    ],
    ['unknown occupancies', cif({ atoms: 'Cs 0 0 0 ?\nCl .5 .5 .5 .\n' })],
    ['comments and blank lines', `# head\n\n${cif().replace('loop_', '# inside\nloop_ # behind\n')}`],
    ['a global block before the data', `data_global\n_journal_year 2020\n${cif()}`],
    [
      'quoted and multi-line values',
      cif().replace(
        'data_test',
        "data_test\n_a 'it''s b' \n_c\n;\nloop_ _cell_length_a 9\n;\n_d \"x 'y' z\"",
      ),
    ],
    ['no symmetry at all', cif({ symmetry: '' })],
    [
      'Fortran exponents and fractions',
      cif({ cell: CUBE.replace('4.2', '0.42D+01'), atoms: 'Cs 0 0 0 1\nCl 1/2 1/2 1/2 1\n' }),
    ],
    ['charged labels', cif({ atoms: 'Cs1+ 0 0 0 1\nCL1- .5 .5 .5 1\n' })],
    ['atoms without coordinates left out', cif({ atoms: 'Cs 0 0 0 1\nCl .5 .5 .5 1\nH1 ? ? ? 1\n' })],
    ['a title wrapped inside its quotes', cif().replace('data_test', "data_test\n_title 'one\ntwo\n'")],
  ])('%s', (_, text) => {
    expect(formula(text)).toBe('CsCl');
    expect(latticeParameters(only(text).structure.latticeVectors).a).toBeCloseTo(4.2, 12);
  });

  it('deuterium beside hydrogen on one site, if it is kept', () => {
    const atoms = 'D1 0 0 0 .8\nH1 0 0 0 .2\nDy1 .5 .5 .5 1\nO .2 .2 .2 1';
    const [read] = readCif(cif({ atoms }), { keepsDeuterium: true }).structures;
    expect(compositionOf(read.structure)).toEqual({ D: 0.8, H: 0.2, Dy: 1, O: 1 });
    expect(read.structure.sites.length).toBe(3);
    expect(read.notices).toEqual([]);
  });

  it('deuterium as hydrogen', () => {
    expect(formula(cif({ atoms: 'D1 0 0 0 1\nD2 .5 .5 .5 1\nO .2 .2 .2 1' }))).toBe('H2O');
  });

  it('special positions given with four decimals as one site, exactly on the special position', () => {
    const cell = CUBE.replace('gamma 90', 'gamma 120').replace('_c 4.2', '_c 6.7');
    const symmetry = "_symmetry_space_group_name_H-M 'P 63/m m c'\n";
    const { structure } = only(cif({ cell, symmetry, atoms: 'Mg .3333 .6667 .25 1\n' }));
    expect(structure.sites.length).toBe(2);
    expect(structure.sites[0].fractionalCoords[0]).toBeCloseTo(1 / 3, 5);
    expect(structure.sites[0].fractionalCoords[1]).toBeCloseTo(2 / 3, 5);
  });

  it('a full atom slightly off its special position as one site, but split atoms as separate sites', () => {
    const symmetry = "_symmetry_space_group_name_H-M 'P -1'\n";
    const read = only(cif({ symmetry, atoms: 'Fe1 .005 0 0 1\n' }));
    expect(read.structure.sites.length).toBe(1);
    expect(read.structure.sites[0].fractionalCoords[0]).toBeCloseTo(0, 12);
    expect(read.notices[0].message).toMatch(/special position 0.042 Å/);
    expect(only(cif({ symmetry, atoms: 'Fe1 .005 0 0 .5\n' })).structure.sites.length).toBe(2);
  });

  it('ammonium and cyanide labels as nitrogen and carbon', () => {
    expect(formula(cif({ atoms: 'NH4 0 0 0 1\nCN .5 .5 .5 1\n' }))).toBe('CN');
  });

  it('contents that differ from the declared formula, with a warning', () => {
    const read = only(cif({ cell: `_chemical_formula_sum 'Cs Br'\n${CUBE}` }));
    expect(read.notices.map(({ message }) => message)).toEqual([
      'the atoms make CsCl, but the file declares CsBr',
    ]);
  });

  it.each([1.001, 1.02, 1.05])('occupancies that add up to %d scaled to 1, with a warning', (sum) => {
    const { structure, notices } = only(
      cif({ atoms: `Fe1 0 0 0 .6\nCo1 0 0 0 ${(sum - 0.6).toFixed(3)}\n` }),
    );
    const [{ species }] = structure.sites;
    expect(species.reduce((total, { occupancy }) => total + occupancy, 0)).toBeCloseTo(1, 12);
    expect(species[0].occupancy).toBeCloseTo(0.6 / sum, 9);
    expect(notices[0].message).toContain('scaled to 1');
  });

  it('several species on one site', () => {
    const { structure } = only(cif({ atoms: 'Fe1 0 0 0 .6\nCo1 0 0 .0001 .4\n' }));
    expect(structure.sites.map(({ species }) => species)).toEqual([
      [
        { element: 'Fe', occupancy: 0.6 },
        { element: 'Co', occupancy: 0.4 },
      ],
    ]);
  });

  it.each([
    ["_symmetry_space_group_name_H-M 'F m -3 m'\n", 'Cs4Cl4'],
    ["_symmetry_space_group_name_Hall '-F 4 2 3'\n", 'Cs4Cl4'],
    ['_symmetry_Int_Tables_number 225\n', 'Cs4Cl4'],
    ["_symmetry_space_group_name_H-M 'F m -3 m'\n_symmetry_space_group_name_Hall ?\n", 'Cs4Cl4'],
    [`${P1}_symmetry_space_group_name_H-M 'F m -3 m'\n`, 'CsCl'],
    ["_symmetry_equiv_pos_as_xyz 'x,y,z'\n", 'CsCl'],
  ])('the symmetry of %j', (symmetry, expected) => {
    const read = only(cif({ symmetry }));
    expect(formulaOf(compositionOf(read.structure))).toBe(expected);
  });

  it('the setting that agrees with the declared formula, for a symbol with two possible origins', () => {
    const spinel = (x: string): string =>
      cif({
        cell: `_chemical_formula_sum 'Al2 Mg O4'\n${CUBE.replaceAll('4.2', '8.08')}`,
        symmetry: "_symmetry_space_group_name_H-M 'F d -3 m'\n",
        atoms: x,
      });
    const first = 'Mg 0 0 0 1\nAl .625 .625 .625 1\nO .387 .387 .387 1\n';
    const second = 'Mg .125 .125 .125 1\nAl .5 .5 .5 1\nO .262 .262 .262 1\n';
    expect([formula(spinel(first)), formula(spinel(second))]).toEqual(['Mg8Al16O32', 'Mg8Al16O32']);
  });

  it.each([
    ['Si', 'Si 0 0 0 1\n', 8],
    ['Na Tl', 'Na 0 0 0 1\nTl .5 .5 .5 1\n', 8],
  ])(
    'the setting with the declared number of formula units if both origins make %s',
    (made, atoms, units) => {
      const text = (stated: string): string =>
        cif({
          cell: `_chemical_formula_sum '${made}'\n${stated}${CUBE.replaceAll('4.2', '7.4')}`,
          symmetry: "_symmetry_space_group_name_H-M 'F d -3 m'\n",
          atoms,
        });
      const known = only(text(`_cell_formula_units_Z ${units}\n`));
      expect(known.structure.sites).toHaveLength(units * made.split(' ').length);
      expect(known.notices).toEqual([]);
      expect(only(text('')).notices.map(({ code }) => code)).toEqual(['cif-several-settings']);
    },
  );

  it('operations that change the edges of the cell by less than 2 %', () => {
    const cell = CUBE.replace('_cell_length_b 4.2', '_cell_length_b 4.25');
    const symmetry = "loop_\n_symmetry_equiv_pos_as_xyz\n'x,y,z'\n'-y,x,z'\n'-x,-y,z'\n'y,-x,z'\n";
    expect(formula(cif({ cell, symmetry }))).toBe('CsCl');
  });

  it('rhombohedral axes if the cell is rhombohedral', () => {
    const cell = CUBE.replaceAll(' 90', ' 60').replaceAll('4.2', '2.9');
    const symmetry = "_symmetry_space_group_name_H-M 'R -3 m'\n";
    expect(only(cif({ cell, symmetry, atoms: 'Bi .234 .234 .234 1\n' })).structure.sites.length).toBe(2);
  });

  it('the structures of every data block, and lists blocks that could not be read', () => {
    const broken = cif({ atoms: 'Cs nan 0 0 1\n' }).replace('data_test', 'data_broken');
    const { structures, refused } = readCif(`${cif()}${broken}${cif().replace('data_test', 'data_second')}`);
    expect(structures.map(({ name }) => name)).toEqual(['test', 'second']);
    expect(refused.map(({ name }) => name)).toEqual(['broken']);
  });
});

describe('readCif refuses, with the position,', () => {
  it.each<[string, string, RegExp, number]>([
    ['a missing angle', cif({ cell: CUBE.replace('_cell_angle_beta 90\n', '') }), /no _cell_angle_beta/, 1],
    ['an unknown length', cif({ cell: CUBE.replace('_a 4.2', '_a ?') }), /no _cell_length_a/, 2],
    [
      'a length that is no number',
      cif({ cell: CUBE.replace('_a 4.2', '_a four') }),
      /"four"; expected a number/,
      2,
    ],
    ['a negative length', cif({ cell: CUBE.replace('_a 4.2', '_a -4.2') }), /length a is -4.2/, 2],
    ['an infinite length', cif({ cell: CUBE.replace('_a 4.2', '_a 1e999') }), /expected a number/, 2],
    ['an absurd length', cif({ cell: CUBE.replace('_a 4.2', '_a 1e9') }), /at most 10000/, 2],
    ['angles that close no cell', cif({ cell: CUBE.replaceAll(' 90', ' 120') }), /close no cell/, 2],
    ['an unknown element', cif({ atoms: 'Xx1 0 0 0 1\n' }), /"Xx1" names no element/, 17],
    [
      'a row that is cut short',
      cif({ atoms: 'Cs 0 0 0 1\nCl .5 .5\n' }),
      /last row, ending in ".5", is not complete/,
      18,
    ],
    ['a coordinate that is no number', cif({ atoms: 'Cs 0 0 zero 1\n' }), /fract_z is "zero"/, 17],
    ['a coordinate beyond all cells', cif({ atoms: 'Cs 0 0 1e300 1\n' }), /fract_z is "1e300"/, 17],
    ['a negative occupancy', cif({ atoms: 'Cs 0 0 0 -1\n' }), /occupancy is "-1"/, 17],
    [
      'a bad operation',
      cif({ symmetry: "loop_\n_symmetry_equiv_pos_as_xyz\n'x,y,w'\n" }),
      /"w" was not expected/,
      10,
    ],
    [
      'an operation that does not fit',
      cif({ cell: CUBE.replace('_a 4.2', '_a 5'), symmetry: "_symmetry_equiv_pos_as_xyz 'y,x,z'\n" }),
      /does not fit the cell \(it changes its edges by 19\.0 %\)/,
      8,
    ],
    [
      'a symbol that does not fit',
      cif({ cell: CUBE.replace('_a 4.2', '_a 5'), symmetry: '_symmetry_space_group_name_H-M Fm-3m\n' }),
      /fits the cell/,
      8,
    ],
    [
      'an unknown symbol',
      cif({ symmetry: '_symmetry_space_group_name_H-M P7\n' }),
      /names no space group/,
      8,
    ],
    ['an unknown number', cif({ symmetry: '_space_group_IT_number 231\n' }), /names no space group/, 8],
    ['a text field without end', `${cif()};\nno end`, /never closed/, 19],
    [
      'a quotation without end among the operations',
      cif({ symmetry: "loop_\n_symmetry_equiv_pos_as_xyz\n'x,y,z\n" }),
      /not closed/,
      10,
    ],
    ['no atoms', `data_x\n${CUBE}`, /lists no atoms/, 1],
  ])('%s', (_, text, message, line) => {
    const error = errorOf(text);
    expect(error.code).toBe('cif');
    expect(error.message).toMatch(message);
    expect(error.line).toBe(line);
    expect(error.column).toBeGreaterThan(0);
  });

  it('two atoms at one position, an empty file, and a text that contains no crystal', () => {
    expect(errorOf(cif({ atoms: 'Fe 0 0 0 1\nCo 0 0 0 1\n' })).message).toMatch(/add up to 2/);
    expect(errorOf(' \n').message).toMatch(/empty/);
    expect(errorOf('data_x\n_a b\n').message).toMatch(/no data block/);
  });

  it('structures with more sites, and texts with more characters, than the limits', () => {
    const many = Array.from({ length: MAX_READ_SITES + 1 }, () => 'Fe 0 0 0 1').join('\n');
    expect(() => readCif(cif({ atoms: many }))).toThrow(/at most 20000/);
    expect(() => readCif('x'.repeat(MAX_TEXT_LENGTH + 1))).toThrow(/characters/);
  });
});

describe('readStructureText', () => {
  const poscar = 'data\n1.0\n4 0 0\n0 4 0\n0 0 4\nFe\n1\nDirect\n0 0 0\n';
  it('detects the format from the content', () => {
    expect(structureFormat(cif(), 'POSCAR')).toBe('cif');
    expect(structureFormat(poscar)).toBe('poscar');
    expect(structureFormat('# only a comment', 'x.cif')).toBe('cif');
    expect(structureFormat('', 'a/b/CONTCAR')).toBe('poscar');
    expect(structureFormat('hello')).toBeUndefined();
    expect(readStructureText(poscar).structures.length).toBe(1);
    expect(readStructureText(cif()).format).toBe('cif');
  });

  it('refuses texts of other formats', () => {
    expect(() => readStructureText('hello world')).toThrow(/neither a CIF/);
    expect(() => readStructureText('')).toThrow(/empty/);
  });
});
