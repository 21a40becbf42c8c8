import { describe, expect, it } from 'vitest';
import { CrystalError } from './error.ts';
import { readStructureText } from './io/read-structure-text.ts';
import { MAX_FORMULA_AMOUNT } from './composition.ts';
import { parseFormula } from './parse-formula.ts';

/** The reason and parameters of an error, without its English message. */
function refusalOf(run: () => unknown): object | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof CrystalError) return { reason: error.reason, ...error.parameters };
    throw error;
  }
  return undefined;
}

const poscar = (lines: readonly string[]): string => lines.join('\n');
const CELL = ['title', '1', '4 0 0', '0 4 0', '0 0 4'];
const cif = (edge: string, symmetry: string): string =>
  `data_x\n_cell_length_a ${edge}\n_cell_length_b 4\n_cell_length_c 4\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\n${symmetry}\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nFe 0 0 0\n`;

describe('reasons of refusals', () => {
  it.each([
    ['Li2Xx', { reason: 'formula-unknown-element', found: 'Xx', position: 4 }],
    ['Li(O', { reason: 'formula-open-bracket', expected: ')', position: 3 }],
    ['Li)', { reason: 'formula-unopened-bracket', found: ')', position: 3 }],
    ['Li0', { reason: 'formula-amount', found: '0', limit: MAX_FORMULA_AMOUNT, position: 3 }],
  ])('formula %s', (formula, refusal) => {
    expect(refusalOf(() => parseFormula(formula))).toMatchObject(refusal);
  });

  it.each([
    ['nothing', ' \n', { reason: 'empty-file', line: 1 }],
    ['prose', 'a letter\nto nobody\n', { reason: 'unknown-format' }],
    ['a POSCAR cut short', poscar([...CELL, 'Fe', '2', 'Direct', '0 0 0']), { reason: 'file-ends', line: 9 }],
    [
      'an element of no name',
      poscar([...CELL, 'Xx', '1', 'Direct', '0 0 0']),
      { reason: 'poscar-unknown-element', found: 'Xx', line: 6, column: 1 },
    ],
    [
      'atoms by the million',
      poscar([...CELL, 'Fe', '999999999', 'Direct']),
      { reason: 'too-many-sites', line: 7 },
    ],
    [
      'a word among numbers',
      poscar(['title', '1', '4 0 zero', '0 4 0', '0 0 4']),
      { reason: 'poscar-no-number', found: 'zero', line: 3, column: 5 },
    ],
    ['vectors in a plane', poscar(['title', '1', '4 0 0', '8 0 0', '0 0 4']), { reason: 'flat-cell' }],
    [
      'a CIF edge in words',
      cif('long', ''),
      { reason: 'cif-no-number', tag: '_cell_length_a', found: 'long', line: 2 },
    ],
    [
      'an unknown space group',
      cif('4', "_symmetry_space_group_name_H-M 'Q 7'"),
      { reason: 'cif-unknown-space-group', found: 'Q 7', line: 8 },
    ],
    [
      'an operation that is none',
      cif('4', "_symmetry_equiv_pos_as_xyz 'x,y'"),
      { reason: 'cif-bad-operation', found: 'x,y', line: 8 },
    ],
  ])('%s', (_, text, refusal) => {
    expect(refusalOf(() => readStructureText(text))).toMatchObject(refusal);
  });
});
