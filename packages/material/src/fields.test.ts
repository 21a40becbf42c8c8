import { describe, expect, it } from 'vitest';
import type { Field } from './fields/field.ts';
import { FIELD_NAMES, fieldOf, optionText, type Scalars } from './fields/fields.ts';
import { NOTHING_GIVEN, scaledToCell } from './given.ts';
import { place, placedNames, unplace } from './places.ts';
import { SEARCH_ROW, searchResultOf, type SearchRow } from './search-row.ts';

const repeated = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('the table of fields', () => {
  it('gives no two fields one column or one place', () => {
    expect(repeated(FIELD_NAMES.map((name) => fieldOf(name).column))).toEqual([]);
    expect(repeated(FIELD_NAMES.flatMap((name) => fieldOf(name).line ?? []))).toEqual([]);
    expect(repeated(FIELD_NAMES.flatMap((name) => fieldOf(name).detail ?? []))).toEqual([]);
    expect(repeated(FIELD_NAMES.flatMap((name) => fieldOf(name).row?.name ?? []))).toEqual([]);
  });

  it('puts no field where a group of others is', () => {
    for (const form of ['line', 'detail'] as const) {
      const paths = FIELD_NAMES.flatMap((name) => fieldOf(name)[form] ?? []);
      const groups = paths.flatMap((path) => (path.includes('.') ? path.slice(0, path.indexOf('.')) : []));
      expect(paths.filter((path) => groups.includes(path) || path.split('.').length > 2)).toEqual([]);
    }
  });

  it('has every field that has a place in the search row there, once', () => {
    const placed = FIELD_NAMES.filter((name) => fieldOf(name).row !== undefined);
    expect([...SEARCH_ROW].sort()).toEqual([...placed].sort());
  });

  it('describes every field in both languages, in whole sentences', () => {
    const isDescribed = ({ label, meaning }: Field): boolean =>
      label.en !== '' && label.zh !== '' && /^[A-Z].*\.$/u.test(meaning.en) && meaning.zh.endsWith('。');
    expect(FIELD_NAMES.filter((name) => !isDescribed(fieldOf(name)))).toEqual([]);
  });

  it('asks every source for what has no meaning when left out, and only for that', () => {
    expect(placedNames('line').filter((name) => !(name in NOTHING_GIVEN))).toEqual(['sourceName']);
  });
});

describe('places', () => {
  it('puts values where a line has them, and takes them out again', () => {
    const given = { ...NOTHING_GIVEN, sourceName: 'COD', nameEn: 'halite', bandGap: 5 };
    const line = place('line', given);
    expect(line).toMatchObject({ band_gap: 5, names: { en: 'halite', zh: null }, source: { name: 'COD' } });
    expect(unplace<'line', typeof given>('line', line)).toEqual(given);
  });
});

describe('scaledToCell', () => {
  it('changes what grows with the cell and nothing else', () => {
    const scalars: Partial<Scalars> = { energy: -8, energyPerAtom: -4, volume: 20, density: 2, bandGap: 1 };
    expect(scaledToCell({ ...scalars, totalMagnetization: null }, 0.5)).toEqual({
      ...scalars,
      energy: -4,
      volume: 10,
      totalMagnetization: null,
    });
  });
});

describe('searchResultOf', () => {
  it('names every position', () => {
    const row: SearchRow = [
      ...([1, 'TiO2', 'P4_2/mnm', -3.26, 0, 1.78, 6, 2.1, 'tetragonal', 'tetragonal'] as const),
      ...([true, false, false, true, false, true] as const),
      ...(['observed', 'COD', '9009083', 'CC0-1.0'] as const),
    ];
    expect(searchResultOf(row)).toEqual({
      structId: 1,
      formula: 'TiO2',
      spaceGroup: 'P4_2/mnm',
      formationEnergyPerAtom: -3.26,
      energyAboveHull: 0,
      bandGap: 1.78,
      nSites: 6,
      fermiEnergy: 2.1,
      crystalSystem: 'tetragonal',
      latticeType: 'tetragonal',
      hasBand: true,
      isHubbard: false,
      hasHse: false,
      hasEpsilon: true,
      hasPiezo: false,
      hasElastic: true,
      observed: 'observed',
      sourceName: 'COD',
      sourceId: '9009083',
      sourceLicence: 'CC0-1.0',
    });
  });
});

describe('optionText', () => {
  it('names the values of a choice, and leaves others as they are', () => {
    expect(optionText('latticeType', 'rhombohedral', 'zh')).toBe('菱方');
    expect(optionText('bandGapType', '', 'en')).toBe('');
    expect(optionText('bandGapType', 'odd', 'en')).toBe('odd');
  });
});
