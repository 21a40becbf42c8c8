import { describe, expect, it } from 'vitest';
import { properMap } from './catalogue.ts';
import { curvature, formatSymbol, orbits, symbolKey } from './delaney-symbol.ts';
import { enumerateSymbols } from './enumerate.ts';

const symbols = [...enumerateSymbols(12)];

describe('enumerateSymbols', () => {
  it.each([
    [4, 17],
    [6, 70],
    [8, 270],
    [10, 879],
    [12, 2638],
  ])('finds the known number of tilings of at most %i chambers: %i', (size, count) => {
    expect(symbols.filter((symbol) => symbol.size <= size)).toHaveLength(count);
  });

  it('finds exactly the 11 Archimedean tilings with one kind of vertex', () => {
    expect(symbols.filter((symbol) => orbits(symbol, 1, 2).length === 1)).toHaveLength(11);
  });

  it('is closed under duality: exchanging faces and vertices permutes the list', () => {
    const keys = new Set(symbols.map(formatSymbol));
    for (const {
      size,
      neighbours: [s0, s1, s2],
      faceSize,
      degree,
    } of symbols)
      expect(
        keys.has(symbolKey({ size, neighbours: [s2, s1, s0], faceSize: degree, degree: faceSize })),
      ).toBe(true);
  });

  it('gives every symbol once, in canonical numbering and without further symmetry', () => {
    expect(new Set(symbols.map(formatSymbol)).size).toBe(symbols.length);
    for (const symbol of symbols) expect(symbolKey(symbol)).toBe(formatSymbol(symbol));
  });

  it('gives tilings of the Euclidean plane only', () => {
    for (const symbol of symbols) expect(Math.abs(curvature(symbol))).toBeLessThan(1e-12);
  });

  it('every symbol unfolds; 2,082 are proper nets', () => {
    expect(symbols.filter((symbol) => properMap(symbol) !== undefined)).toHaveLength(2082);
  });
});
