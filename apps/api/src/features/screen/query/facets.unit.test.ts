import { expect, it } from 'vitest';
import type { TextColumn } from '../index/screen-index.ts';
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
