import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operationsFromHallSymbol } from '../hall-symbol.ts';
import { latticeVectorsFromParameters } from '../lattice.ts';
import { findSettingsBySymbol, SPACE_GROUP_SETTINGS } from '../space-group-setting.ts';
import { orderedSite, type Structure } from '../structure.ts';
import { readCifBlocks } from './cif-blocks.ts';
import { readCif } from './read-cif.ts';
import { cifText, writeCif } from './write-structure.ts';

const readBack = (text: string): string | undefined =>
  readCifBlocks(`data_x\n_item ${cifText(text)}\n_next 1\n`)[0].items.get('_item')?.text;

const printable = fc.string({
  unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
});

describe('cifText', () => {
  it('any printable line is read back unchanged, except for surrounding blanks', () => {
    fc.assert(
      fc.property(printable, (text) => {
        expect(readBack(text)).toBe(text.trim() === '' ? '?' : text.trim());
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it.each([
    ["Alice's data", "'Alice's data'"],
    ["the cats' tail", '"the cats\' tail"'],
    ['?', "'?'"],
    ['_tag', "'_tag'"],
    ['data_x', "'data_x'"],
    ['', '?'],
    // The last ASCII code is not printable.
    ['a\u007fb\u0001', "'a\\u{7f}b\\u{1}'"],
  ])('%s is written as %s', (text, written) => {
    expect(cifText(text)).toBe(written);
  });

  it('text that cannot be quoted on one line becomes a text field', () => {
    expect(readBack('he said "no" and \'yes\' too')).toBe('he said "no" and \'yes\' too');
    expect(readBack('first\nsecond')).toBe('first\nsecond');
    expect(readBack('first\n;second')).toBe('first\n ;second');
    expect(readBack('x'.repeat(5000))?.replaceAll('\n', '')).toBe('x'.repeat(5000));
  });

  it('no line exceeds the limit of the standard, and only ASCII is written', () => {
    const written = cifText(`材料 ${'é'.repeat(3000)}`);
    expect(written.startsWith('\n;\\u{6750}\\u{6599} \\u{e9}')).toBe(true);
    expect(Math.max(...written.split('\n').map((line) => line.length))).toBeLessThan(2048);
    expect(/^[\n -~]*$/.test(written)).toBe(true);
  });
});

describe('writeCif of a cell in a tabulated setting', () => {
  const box = latticeVectorsFromParameters({ a: 4.594, b: 4.594, c: 2.959, alpha: 90, beta: 90, gamma: 90 });
  const u = 0.3048;
  const rutile: Structure = {
    latticeVectors: box,
    sites: [
      orderedSite('Ti', [0, 0, 0]),
      orderedSite('Ti', [0.5, 0.5, 0.5]),
      orderedSite('O', [u, u, 0]),
      orderedSite('O', [1 - u, 1 - u, 0]),
      orderedSite('O', [0.5 + u, 0.5 - u, 0.5]),
      orderedSite('O', [0.5 - u, 0.5 + u, 0.5]),
    ],
  };
  const setting = { hallSymbol: '-P 4n 2n', wyckoffs: ['a', 'a', 'f', 'f', 'f', 'f'] };

  it('writes rutile with symbols, operations, and one site of each orbit with multiplicity and letter', () => {
    const text = writeCif(rutile, { setting });
    expect(text).toContain("_symmetry_space_group_name_H-M 'P 42/m n m'\n");
    expect(text).toContain('_symmetry_Int_Tables_number 136\n');
    expect(text).toContain("_symmetry_space_group_name_Hall '-P 4n 2n'\n");
    expect(text.split('\n').filter((line) => line.startsWith("'"))).toHaveLength(16);
    expect(text).toMatch(/^Ti1 Ti 2 a 0\.0000000000 0\.0000000000 0\.0000000000 1$/m);
    expect(text).toMatch(/^O1 O 4 f 0\.3048000000 0\.3048000000 0\.0000000000 1$/m);
    const [{ structure, notices }] = readCif(text).structures;
    expect(structure.sites).toHaveLength(6);
    expect(notices).toEqual([]);
  });

  it('writes P 1 on request, and the crystal is the same', () => {
    const text = writeCif(rutile);
    expect(text).toContain("_symmetry_space_group_name_H-M 'P 1'\n");
    expect(text).not.toContain('Wyckoff');
    expect(readCif(text).structures[0].structure.sites).toHaveLength(6);
  });

  it('writes the source of the data, whatever characters its name contains', () => {
    const provenance = { source: 'O\'Neill "et al."\n材料, 2024', licence: 'CC BY 4.0', release: '2026.11' };
    const [block] = readCifBlocks(writeCif(rutile, { setting, provenance }));
    expect(block.items.get('_unitcell_source')?.text).toBe('O\'Neill "et al."\n\\u{6750}\\u{6599}, 2024');
    expect(block.items.get('_unitcell_licence')?.text).toBe('CC BY 4.0');
    expect(block.items.get('_unitcell_release')?.text).toBe('2026.11');
    expect(writeCif(rutile, { provenance: { source: ' ' } })).not.toContain('_unitcell');
  });

  it('for all 530 settings, the Hall symbol and the Hermann-Mauguin symbol are read back as that setting', () => {
    const atom: Structure = {
      latticeVectors: latticeVectorsFromParameters({ a: 6, b: 6, c: 6, alpha: 90, beta: 90, gamma: 90 }),
      sites: [orderedSite('Si', [0, 0, 0])],
    };
    for (const { hallSymbol, number } of SPACE_GROUP_SETTINGS) {
      // A cubic cell serves for all settings, because symbols do not depend on the cell. The sites are all
      // images of the origin, so that every operation maps the crystal onto itself.
      const operations = operationsFromHallSymbol(hallSymbol);
      const images = new Map(
        operations.map(({ translation }) => [
          translation.map((t) => Math.round(t * 24) % 24).join(),
          translation,
        ]),
      );
      const sites = [...images.values()].map((position) => orderedSite('Si', position));
      const text = writeCif({ ...atom, sites }, { setting: { hallSymbol } });
      const [block] = readCifBlocks(text);
      expect(block.items.get('_symmetry_space_group_name_hall')?.text).toBe(hallSymbol);
      expect(block.items.get('_symmetry_int_tables_number')?.text).toBe(String(number));
      const symbol = block.items.get('_symmetry_space_group_name_h-m')?.text ?? '';
      expect(findSettingsBySymbol(symbol).map((one) => one.hallSymbol)).toContain(hallSymbol);
    }
  });

  it('refuses an unknown setting, and a setting whose operations the sites do not have', () => {
    expect(() => writeCif(rutile, { setting: { hallSymbol: 'P 99' } })).toThrow(/no Hall symbol/);
    expect(() => writeCif(rutile, { setting: { hallSymbol: '-P 4 2 3' } })).toThrow(/no partner/);
  });
});

describe('readCif on a text with and without a data_ line', () => {
  const headless = `_cell_length_a 4
_cell_length_b 4
_cell_length_c 4
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_space_group_symop_operation_xyz x,y,z
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Po 0 0 0
`;

  it('warns if the line is missing, but not otherwise', () => {
    expect(readCif(headless).structures[0].notices).toMatchObject([
      { code: 'cif-no-data-line', message: expect.stringMatching(/before any "data_" line/) },
    ]);
    expect(readCif(`data_po\n${headless}`).structures[0].notices).toEqual([]);
  });
});
