import { describe, expect, it } from 'vitest';
import { heatOf, shortNumber } from './scatter-panel.tsx';

const elements = {
  O: { count: 900, known: 800, median: 3.2 },
  F: { count: 100, known: 90, median: 6 },
  Au: { count: 9, known: 5, median: 0 },
  Xe: { count: 1, known: 0, median: null },
};

describe('heatOf', () => {
  it('colours medians from the lowest to the highest, and omits elements without one', () => {
    const { tiles, from, to } = heatOf(elements, true);
    expect([from, to]).toEqual([0, 6]);
    expect(tiles.map(({ symbol }) => symbol)).toEqual(['O', 'F', 'Au']);
    const share = Object.fromEntries(tiles.map((tile) => [tile.symbol, tile.share]));
    expect(share['Au']).toBe(0);
    expect(share['O']).toBeCloseTo(3.2 / 6);
    expect(share['F']).toBe(1);
  });

  it('colours counts by their square roots', () => {
    const { tiles } = heatOf(elements, false);
    expect(tiles.find(({ symbol }) => symbol === 'F')?.share).toBeCloseTo(1 / 3);
    expect(tiles).toHaveLength(4);
  });

  it('uses the middle colour if all values are equal, and is empty without values', () => {
    expect(heatOf({ O: { count: 1, known: 1, median: 2 } }, true).tiles[0]?.share).toBe(0.5);
    expect(heatOf({}, true).tiles).toEqual([]);
  });
});

describe('shortNumber', () => {
  it.each([
    [0, '0'],
    [3.14159, '3.14'],
    [-2.5, '\u22122.50'],
    [31.4159, '31.4'],
    [314.159, '314'],
    [12_345, '12k'],
  ])('%s is %s', (value, text) => expect(shortNumber(value)).toBe(text));
});
