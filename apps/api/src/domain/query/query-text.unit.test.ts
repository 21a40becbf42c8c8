import { CrystalError, parseFormula, readStructureText } from '@unitcell/crystal';
import { SymmetryError } from '@unitcell/symmetry';
import { describe, expect, it } from 'vitest';
import { translator } from '../../messages/messages.ts';
import { reasonMessage } from './query-text.ts';

function refusalOf(run: () => unknown): CrystalError {
  try {
    run();
  } catch (error) {
    if (error instanceof CrystalError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const unreadable = (language: 'en' | 'zh', error: CrystalError | SymmetryError): string =>
  translator(language)('run4u.unreadable', { reason: reasonMessage(error) });

const CELL = 'title\n1\n4 0 0\n0 4 0\n0 0 4\n';

describe('reasonMessage', () => {
  it('states where a file is wrong, in Chinese and, with the message of the file parser, in English', () => {
    const error = refusalOf(() => readStructureText(`${CELL}Xx\n1\nDirect\n0 0 0\n`));
    expect(unreadable('zh', error)).toBe(
      '无法读取该文件：第 6 行第 1 列：“Xx”不是元素，应为 Fe 或 Fe_pv 这样的符号。',
    );
    expect(unreadable('en', error)).toBe(
      'The file cannot be read: line 6, column 1: "Xx" is no element; expected symbols such as Fe or Fe_pv.',
    );
  });

  it.each([
    `${CELL}Fe\n2\nDirect\n0 0 0\n`,
    `${CELL}Fe\n999999999\nDirect\n`,
    'title\n0\n',
    'title\n1\n4 0 zero\n',
    'title\n1\n4 0 0\n8 0 0\n0 0 4\n',
    'prose',
    'data_x\n_cell_length_a 4\nloop_\n_atom_site_fract_x\n0\n',
    "data_x\n_cell_length_a long\n_cell_length_b '4",
  ])('leaves no placeholder and no English sentence in Chinese: %j', (text) => {
    const shown = unreadable(
      'zh',
      refusalOf(() => readStructureText(text)),
    );
    expect(shown).not.toMatch(/\{\{|expected|the file|\$t/);
  });

  it('states the position in a formula', () => {
    const reason = reasonMessage(refusalOf(() => parseFormula('Li2Xx')));
    expect(translator('zh')('search.bad-formula', { text: 'Li2Xx', reason })).toBe(
      '无法识别化学式 Li2Xx：第 4 个字符处的“Xx”不是元素符号',
    );
  });

  it('states why no symmetry was found', () => {
    const error = new SymmetryError('overlapping-sites', 'sites 1 and 2 are 0.001 Å apart');
    expect(unreadable('zh', error)).toContain('有两个原子位点重叠');
    expect(unreadable('en', error)).toContain('sites 1 and 2 are 0.001 Å apart');
  });
});
