import { describe, expect, it } from 'vitest';
import type { Bilingual, Field } from './fields/field.ts';
import {
  FIELD_NAMES,
  fieldOf,
  optionText,
  type Scalars,
  SEARCH_ROW,
  searchResultOf,
  type SearchRow,
} from './fields/fields.ts';
import { conditionFields } from './fields/condition-fields.ts';
import { predictedFields } from './fields/energy-and-origin-fields.ts';
import { place, placedNames, unplace } from './places.ts';
import { NOTHING_GIVEN, scaledToCell } from './properties.ts';

const repeated = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('the table of fields', () => {
  it('has no two fields with the same column or path', () => {
    expect(repeated(FIELD_NAMES.map((name) => fieldOf(name).column))).toEqual([]);
    expect(repeated(FIELD_NAMES.flatMap((name) => fieldOf(name).line ?? []))).toEqual([]);
    expect(repeated(FIELD_NAMES.flatMap((name) => fieldOf(name).detail ?? []))).toEqual([]);
    expect(repeated(FIELD_NAMES.flatMap((name) => fieldOf(name).row?.name ?? []))).toEqual([]);
  });

  it('has no field at the path of a group of fields', () => {
    for (const form of ['line', 'detail'] as const) {
      const paths = FIELD_NAMES.flatMap((name) => fieldOf(name)[form] ?? []);
      const groups = paths.flatMap((path) => (path.includes('.') ? path.slice(0, path.indexOf('.')) : []));
      expect(paths.filter((path) => groups.includes(path) || path.split('.').length > 2)).toEqual([]);
    }
  });

  it('assigns every position of the search row to one field', () => {
    expect(SEARCH_ROW.map((name) => fieldOf(name).row?.position)).toEqual([...SEARCH_ROW.keys()]);
  });

  it('describes every field in both languages, in complete sentences', () => {
    const isDescribed = ({ label, meaning }: Field): boolean =>
      label.en !== '' && label.zh !== '' && /^[A-Z].*\.$/u.test(meaning.en) && meaning.zh.endsWith('。');
    expect(FIELD_NAMES.filter((name) => !isDescribed(fieldOf(name)))).toEqual([]);
  });

  it('has Chinese texts in Chinese and English texts in English', () => {
    const hasHan = (text: string): boolean => /\p{Script=Han}/u.test(text);
    /** Names and abbreviations are equal in both languages: `Hall`, `HSE`. */
    const isName = (text: string): boolean => /^[A-Z]\p{Script=Latin}*$/u.test(text);
    const isRight = ({ en, zh }: Bilingual): boolean => !hasHan(en) && (hasHan(zh) || isName(zh));
    const textsOf = (field: Field): readonly Bilingual[] => [
      field.label,
      field.meaning,
      ...(field.row ? [field.row.heading] : []),
      ...(field.kind === 'choice' ? Object.values(field.options) : []),
    ];
    const texts = FIELD_NAMES.flatMap((name) => textsOf(fieldOf(name)).map((text) => ({ name, ...text })));
    expect(
      [...texts, ...[...predictedFields, ...conditionFields].map(({ label }) => label)].filter(
        (text) => !isRight(text),
      ),
    ).toEqual([]);
  });

  it('has lower-case names for filters, as the filter language requires', () => {
    const columns = FIELD_NAMES.map((name) => fieldOf(name).column);
    expect(columns.filter((column) => !/^[a-z][a-z0-9_]*$/.test(column))).toEqual([]);
  });

  it('requires exactly the fields without a default from every source', () => {
    expect(placedNames('line').filter((name) => !(name in NOTHING_GIVEN))).toEqual(['sourceName']);
  });
});

describe('place and unplace', () => {
  it('put values at their paths in a line, and read them back', () => {
    const given = { ...NOTHING_GIVEN, sourceName: 'COD', nameEn: 'halite', bandGap: 5 };
    const line = place('line', given);
    expect(line).toMatchObject({ band_gap: 5, names: { en: 'halite', zh: null }, source: { name: 'COD' } });
    expect(unplace<'line', typeof given>('line', line)).toEqual(given);
  });
});

describe('scaledToCell', () => {
  it('scales extensive values, and no others', () => {
    const scalars: Partial<Scalars> = { energyPerAtom: -4, density: 2, bandGap: 1, fermiEnergy: 3 };
    const ofCell: Partial<Scalars> = { energy: -8, energyVdw: -9, volume: 20, totalMagnetization: 4 };
    expect(scaledToCell({ ...scalars, ...ofCell }, 0.5)).toEqual({
      ...scalars,
      energy: -4,
      energyVdw: -4.5,
      volume: 10,
      totalMagnetization: 2,
    });
    expect(scaledToCell({ totalMagnetization: null }, 0.5)).toEqual({ totalMagnetization: null });
  });
});

describe('searchResultOf', () => {
  it('gives every position its name', () => {
    const row = SEARCH_ROW.map((_, position) => position) as unknown as SearchRow;
    const named = Object.fromEntries(SEARCH_ROW.map((name) => [name, fieldOf(name).row?.position]));
    expect(searchResultOf(row)).toEqual(named);
  });
});

describe('optionText', () => {
  it('returns the names of the values of a choice, and other values unchanged', () => {
    expect(optionText('latticeType', 'rhombohedral', 'zh')).toBe('菱方');
    expect(optionText('bandGapType', '', 'en')).toBe('');
    expect(optionText('bandGapType', 'odd', 'en')).toBe('odd');
  });
});
