import type { MaterialRecord, RecordComparison } from '@unitcell/contract';
import { expect, it } from 'vitest';
import { amountText, comparedRows, differenceText, valueText } from './records-view-model.ts';

const record = (id: number, shown: readonly string[]): MaterialRecord => ({
  id,
  own_id: null,
  source: { name: `source ${id}`, id: '', licence: '', url: null },
  imported_at: '2026-11-22T00:00:00Z',
  space_group: 'P4_2/mnm',
  shown: [...shown],
});
const RECORDS = [record(1, ['bandGap']), record(2, ['structure']), record(3, [])];
const row = (fields: Partial<RecordComparison>): RecordComparison => ({
  property: 'band_gap',
  of: '',
  unit: 'eV',
  values: [1.781, null, 3.3],
  spread: 1.519,
  bound: 0.3,
  is_relative: false,
  is_disagreement: true,
  ...fields,
});

it('says how far a value is from the one shown, in its unit or in percent', () => {
  const gap = row({});
  expect([0, 1, 2].map((at) => differenceText(gap, at, RECORDS))).toEqual(['', '', '+1.52 eV']);
  const volume = row({
    property: 'volume_per_atom',
    unit: 'Å³/atom',
    values: [9.9, 10, 10.4],
    is_relative: true,
  });
  expect([0, 1, 2].map((at) => differenceText(volume, at, RECORDS))).toEqual(['−1.0 %', '', '+4.0 %']);
  expect(differenceText(row({ property: 'k_vrh' }), 2, RECORDS)).toBe('');
});

it('writes a missing value as everywhere, and what apart means', () => {
  expect(valueText(row({}), null)).toBe('-');
  expect(amountText(row({}), 1.519)).toBe('1.5 eV');
  expect(amountText(row({ is_relative: true }), 0.15)).toBe('15 %');
});

it('compares only what two sources say', () => {
  const alone = row({ values: [1.781, null, null] });
  expect(comparedRows([row({}), alone])).toEqual([row({})]);
});
