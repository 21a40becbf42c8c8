import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalSymbol,
  type DelaneySymbol,
  dualSymbol,
  formatSymbol,
  minimalSymbol,
  orbits,
  parseSymbol,
  symbolKey,
} from './delaney-symbol.ts';

const KAGOME = '2:1 2,1 2,2:3 6,4';
const CAIRO = '5:1 3 5,2 5 4,1 4 5:5,3 4';

function relabelled(symbol: DelaneySymbol, order: readonly number[]): DelaneySymbol {
  const place = order.map((_, chamber) => order.indexOf(chamber));
  const move = (s: readonly number[]) => order.map((chamber) => place[s[chamber]]);
  const {
    neighbours: [s0, s1, s2],
    faceSize,
    degree,
  } = symbol;
  return {
    size: symbol.size,
    neighbours: [move(s0), move(s1), move(s2)],
    faceSize: order.map((chamber) => faceSize[chamber]),
    degree: order.map((chamber) => degree[chamber]),
  };
}

describe('parseSymbol and formatSymbol', () => {
  it.each(['1:1,1,1:4,4', '1:1,1,1:6,3', KAGOME, CAIRO])('are inverse for %s', (text) => {
    expect(formatSymbol(parseSymbol(text))).toBe(text);
  });

  it('the kagome net has triangles, hexagons and one kind of site of degree 4', () => {
    const kagome = parseSymbol(KAGOME);
    expect(kagome.faceSize).toEqual([3, 6]);
    expect(orbits(kagome, 1, 2)).toHaveLength(1);
    expect(kagome.degree).toEqual([4, 4]);
  });

  it.each([
    ['', /size/],
    ['0:1,1,1:4,4', /size/],
    ['2:1 2,1 2:3 6,4', /three lists/],
    ['2:1 1,1 2,2:3 6,4', /no partner/],
    ['2:1 2,1 2,2:3 6,3', /cannot have the value 3/],
    ['2:1 2,1 2,2:3,4', /cannot have the value NaN/],
    ['3:2 3,1 2 3,1 3:4,4', /commute/],
  ])('refuses "%s"', (text, message) => expect(() => parseSymbol(text)).toThrow(message));
});

describe('canonicalSymbol', () => {
  it('does not depend on the numbering of the chambers', () => {
    const cairo = parseSymbol(CAIRO);
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), (order) => {
        expect(formatSymbol(canonicalSymbol(relabelled(cairo, order)))).toBe(
          formatSymbol(canonicalSymbol(cairo)),
        );
      }),
      { seed: 7 },
    );
  });
});

describe('minimalSymbol', () => {
  it('reduces a symbol that was doubled by removing its mirrors', () => {
    const square = parseSymbol('1:1,1,1:4,4');
    const doubled: DelaneySymbol = {
      size: 2,
      neighbours: [
        [1, 0],
        [1, 0],
        [1, 0],
      ],
      faceSize: [4, 4],
      degree: [4, 4],
    };
    expect(minimalSymbol(doubled)).toEqual(square);
  });
});

describe('dualSymbol', () => {
  it('turns kagome into dice (rhombs, sites of degree 3 and 6) and back', () => {
    const dice = dualSymbol(parseSymbol(KAGOME));
    expect(new Set(dice.faceSize)).toEqual(new Set([4]));
    expect(dice.degree.toSorted((a, b) => a - b)).toEqual([3, 6]);
    expect(symbolKey(dualSymbol(dice))).toBe(KAGOME);
  });
});
