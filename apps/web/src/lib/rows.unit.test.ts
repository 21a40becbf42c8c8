import { MATCH_ROW_FIELDS, type MatchRow } from '@unitcell/contract';
import { expect, expectTypeOf, it } from 'vitest';
import { namedRow } from './rows.ts';

it('names every position of a row, in the type as well', () => {
  const row: MatchRow = [0.21, 142, 'TiO2', 'P4_2/mnm', 6, null];
  const named = namedRow(MATCH_ROW_FIELDS, row);
  expect(named).toEqual({
    distance: 0.21,
    struct_id: 142,
    formula: 'TiO2',
    space_group: 'P4_2/mnm',
    nsites: 6,
    ehull: null,
  });
  expectTypeOf(named.formula).toEqualTypeOf<string>();
  expectTypeOf(named.ehull).toEqualTypeOf<number | null>();
});
