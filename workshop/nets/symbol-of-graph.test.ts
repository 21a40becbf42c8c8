import { describe, expect, it } from 'vitest';
import { listNets } from '@unitcell/tight-binding';
import { symbolKey } from './delaney-symbol.ts';
import { symbolOfGraph } from './testing/symbol-of-graph.ts';

describe('symbolOfGraph', () => {
  it('recovers the symbol from which every named net was unfolded', () => {
    const differing = listNets()
      .filter(({ symbol }) => symbol !== undefined)
      .filter(
        ({ positions, edges, symbol }) =>
          symbolKey(symbolOfGraph({ siteCount: positions.length, edges })) !== symbol,
      );
    expect(differing.map(({ id }) => id)).toEqual([]);
  });
});
