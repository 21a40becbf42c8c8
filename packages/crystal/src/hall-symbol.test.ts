import { determinant3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { operationsFromHallSymbol } from './hall-symbol.ts';
import { findSettingsByNumber, findSettingsBySymbol, SPACE_GROUP_SETTINGS } from './space-group-setting.ts';
import {
  applySymmetryOperation,
  formatSymmetryOperation,
  parseSymmetryOperation,
  wrapFraction,
} from './symmetry-operation.ts';

const written = (hall: string): string[] =>
  operationsFromHallSymbol(hall).map(formatSymmetryOperation).sort();

describe('operationsFromHallSymbol', () => {
  it.each([
    // The operations are the general positions in International Tables A.
    ['-P 2ybc', ['-x,-y,-z', '-x,y+1/2,-z+1/2', 'x,-y+1/2,z+1/2', 'x,y,z']],
    ['P 31', ['-x+y,-x,z+2/3', '-y,x-y,z+1/3', 'x,y,z']],
    ['P 2ac 2ab', ['-x+1/2,-y,z+1/2', '-x,y+1/2,-z+1/2', 'x+1/2,-y+1/2,-z', 'x,y,z']],
    [
      'P 31 2 (0 0 4)',
      ['-x+y,-x,z+2/3', '-x+y,y,-z+1/3', '-y,-x,-z+2/3', '-y,x-y,z+1/3', 'x,x-y,-z', 'x,y,z'],
    ],
  ])('%s', (hall, expected) => {
    expect(written(hall)).toEqual(expected);
  });

  it('every tabulated setting gives a closed group with the order of its point group times its lattice points', () => {
    for (const { hallSymbol } of SPACE_GROUP_SETTINGS) {
      const operations = operationsFromHallSymbol(hallSymbol);
      const rotations = new Set(operations.map(({ rotation }) => rotation.join()));
      const translations = operations.length / rotations.size;
      expect([1, 2, 3, 4]).toContain(translations);
      expect([1, 2, 3, 4, 6, 8, 12, 16, 24, 48]).toContain(rotations.size);
      expect(new Set(operations.map(formatSymmetryOperation)).size).toBe(operations.length);
      expect(operations.every(({ rotation }) => Math.abs(determinant3(rotation)) === 1)).toBe(true);
    }
  });

  it('Fm-3m has 192 operations and Ia-3d 96', () => {
    expect(operationsFromHallSymbol('-F 4 2 3').length).toBe(192);
    expect(operationsFromHallSymbol('-I 4bd 2c 3').length).toBe(96);
  });

  it('maps the diamond site of Fd-3m to eight positions for both choices of origin', () => {
    const places = (hall: string, x: number): number => {
      const images = operationsFromHallSymbol(hall).map((operation) =>
        applySymmetryOperation(operation, [x, x, x])
          .map((value) => wrapFraction(Math.round(value * 24) / 24).toFixed(4))
          .join(),
      );
      return new Set(images).size;
    };
    expect([places('F 4d 2 3 -1d', 0), places('-F 4vw 2vw 3', 1 / 8), places('-F 4vw 2vw 3', 0)]).toEqual([
      8, 8, 16,
    ]);
  });

  it.each([
    '',
    'P',
    'Q 2',
    'P 5',
    'P 2q',
    'P 2 2 2 2 2',
    "P 3'",
    'P 2 (1 2)',
    'P 2 (a b c)',
    'P 6* 2',
    'x'.repeat(100),
  ])('refuses "%s"', (symbol) => {
    expect(() => operationsFromHallSymbol(symbol)).toThrow(/Hall symbol/);
  });
});

describe('parseSymmetryOperation', () => {
  it.each([
    ['x,y,z', 'x,y,z'],
    [' -Y , X-Y , Z+1/3 ', '-y,x-y,z+1/3'],
    ['1/2-x, .5+y, 0.333+z', '-x+1/2,y+1/2,z+1/3'],
    ['+x,-y+3/2,z-1/4', 'x,-y+1/2,z+3/4'],
    ['1*x,y,z', 'x,y,z'],
  ])('reads %s', (text, expected) => {
    expect(formatSymmetryOperation(parseSymmetryOperation(text))).toBe(expected);
  });

  it.each([
    '',
    'x,y',
    'x,y,z,x',
    'x,y,q',
    'x,y,z+',
    'x,x,z',
    '2x,y,z',
    'x,,z',
    'x,y,1/0',
    'x,y,z 1/2',
    'x,y,0.5x',
  ])('refuses "%s"', (text) => {
    expect(() => parseSymmetryOperation(text)).toThrow(/symmetry operation/);
  });
});

describe('findSettingsBySymbol', () => {
  it.each([
    ['F m -3 m', '-F 4 2 3'],
    ['Fm-3m', '-F 4 2 3'],
    ['Fm3m', '-F 4 2 3'],
    ['F 4/m -3 2/m', '-F 4 2 3'],
    ['P 42/m n m', '-P 4n 2n'],
    ['P4_2/mnm', '-P 4n 2n'],
    ['P 1 21/c 1', '-P 2ybc'],
    ['P21/c', '-P 2ybc'],
    ['P 1 21/n 1', '-P 2yn'],
    ['P n m a', '-P 2ac 2n'],
    ['P b n m', '-P 2c 2ab'],
    ['C m c a', '-C 2ac 2'],
    ['C m c e', '-C 2ac 2'],
    ['F d -3 m:1', 'F 4d 2 3 -1d'],
    ['F d -3 m :2', '-F 4vw 2vw 3'],
    ['F d -3 m S', 'F 4d 2 3 -1d'],
    ['F d -3 m Z', '-F 4vw 2vw 3'],
    ['R -3 m:R', '-P 3* 2'],
    ['R -3 m:H', '-R 3 2"'],
    ['R -3 m H', '-R 3 2"'],
    ['P 4/n m m (origin choice 2)', '-P 4a 2a'],
    ['p 63/m m c', '-P 6c 2c'],
  ])('%s is %s', (symbol, hall) => {
    expect(findSettingsBySymbol(symbol)[0]?.hallSymbol).toBe(hall);
  });

  it('returns nothing for unknown symbols, and finds settings for every number', () => {
    expect(findSettingsBySymbol('P 7')).toEqual([]);
    expect(findSettingsBySymbol('')).toEqual([]);
    for (let number = 1; number <= 230; number++)
      expect(findSettingsByNumber(number)[0]?.number).toBe(number);
    expect(findSettingsByNumber(231)).toEqual([]);
  });
});
