import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.ts';
import { formatCount, formatNumber, paddedStructId } from './format.ts';

describe('formatNumber', () => {
  it('tells zero from nothing and from almost zero', () => {
    expect(formatNumber(0)).toBe('0');
    expect(formatNumber(null)).toBe('-');
    expect(formatNumber(Number.NaN)).toBe('-');
    expect(formatNumber(0.0001)).toBe('0.000');
  });

  it('uses a true minus sign', () => {
    expect(formatNumber(-3.26)).toBe('\u22123.260');
  });
});

describe('formatCount and paddedStructId', () => {
  it('separates thousands, shows 0 when there is none, pads to ten', () => {
    expect(formatCount(154925)).toBe('154,925');
    for (const count of [0, 7, 999, 1000, 12345, 1234567, -1234])
      expect(formatCount(count)).toBe(count.toLocaleString('en-US'));
    expect(formatCount(undefined)).toBe('0');
    expect(paddedStructId(5402)).toBe('0000005402');
  });
});

describe('toCsv', () => {
  it('quotes what needs it', () => {
    expect(
      toCsv(
        ['a', 'b'],
        [
          ['x,y', 'say "hi"'],
          [null, -1.5],
        ],
      ),
    ).toBe('a,b\r\n"x,y","say ""hi"""\r\n,-1.5');
  });

  it('defuses text that a spreadsheet would run, and leaves numbers alone', () => {
    expect(toCsv([], [['=1+1', '+cmd', '@x', '-1.5', '-P 4n 2n']])).toBe(
      "\r\n'=1+1,'+cmd,'@x,-1.5,'-P 4n 2n",
    );
  });
});
