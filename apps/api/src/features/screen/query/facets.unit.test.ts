import { expect, it } from 'vitest';
import type { NumberColumn, TextColumn } from '../index/screen-index.ts';
import { facetOf } from './facets.ts';

it('texts beyond the hundred most frequent are counted together, and unknown ones separately', () => {
  const texts = Array.from({ length: 103 }, (_, i) => `S${String(i).padStart(3, '0')}`);
  const rows = [0, ...texts.map((_, i) => i + 1), 103];
  const column: TextColumn = {
    kind: 'text',
    codes: Uint32Array.from(rows),
    starts: Uint32Array.from({ length: 104 }, (_, i) => 4 * i),
    bytes: Buffer.from(texts.join('')),
    order: new Uint32Array(),
    known: 104,
  };
  const facet = facetOf(column, [Uint32Array.from(rows.keys())]);
  expect(facet).toMatchObject({ kind: 'values', others: 3, missing: 1, total: 105 });
  expect(facet.kind === 'values' && facet.values.slice(0, 2)).toEqual([
    { value: 'S102', count: 2 },
    { value: 'S000', count: 1 },
  ]);
});

it('numbers beyond the ends of the axis are counted in its first and last bin, and only unknown ones as missing', () => {
  const column: NumberColumn = {
    kind: 'number',
    values: Float64Array.of(-5, 0.5, 1.5, 9, Number.NaN),
    order: Uint32Array.of(0, 1, 2, 3, 4),
    known: 4,
    axis: { from: 0, step: 1, bins: 3 },
  };
  expect(facetOf(column, [Uint32Array.of(0, 1, 2, 3, 4)])).toMatchObject({
    counts: [2, 1, 1],
    missing: 1,
    total: 5,
  });
});
