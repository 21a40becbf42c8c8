import { describe, expect, it } from 'vitest';
import { changesBetween } from './pattern-index.ts';

const list = (...pairs: [id: number, version: number][]): Uint32Array => Uint32Array.from(pairs.flat());

describe('changesBetween', () => {
  it('lists added, removed and changed ids', () => {
    const before = list([1, 7], [3, 7], [4, 7], [9, 7]);
    const now = list([1, 7], [2, 8], [4, 9], [9, 7], [12, 8]);
    expect(changesBetween(before, now)).toEqual({ added: [2, 4, 12], removed: [3] });
  });

  it('handles edges: everything, nothing, the last ids', () => {
    expect(changesBetween(list(), list([1, 1], [2, 1]))).toEqual({ added: [1, 2], removed: [] });
    expect(changesBetween(list([1, 1], [2, 1]), list())).toEqual({ added: [], removed: [1, 2] });
    expect(changesBetween(list([1, 1], [5, 1], [6, 1]), list([1, 1]))).toEqual({
      added: [],
      removed: [5, 6],
    });
    expect(changesBetween(list([1, 1]), list([1, 1]))).toEqual({ added: [], removed: [] });
  });
});
