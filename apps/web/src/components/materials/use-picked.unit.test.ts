import { describe, expect, it } from 'vitest';
import { compareAddress, readComparison } from './use-picked.ts';

const read = (ids: string): readonly number[] => readComparison(new URLSearchParams({ ids })).ids;

describe('the address of a comparison', () => {
  it('round-trips', () => {
    const address = compareAddress([12, 2_000_000_001], 'PBE (MP 2018)');
    expect(address).toMatch(/^\/matdata\/compare\?ids=12,2000000001&/);
    const { searchParams } = new URL(address, 'http://127.0.0.1');
    expect(readComparison(searchParams)).toEqual({ ids: [12, 2_000_000_001], scale: 'PBE (MP 2018)' });
  });

  it('keeps at most six distinct numbers and ignores anything else', () => {
    expect(read('1,2,2,x,-3,4e9,<b>,5,6,7,8,9')).toEqual([1, 2, 5, 6, 7, 8]);
    expect(read('')).toEqual([]);
    expect(readComparison(new URLSearchParams())).toEqual({ ids: [], scale: null });
  });
});
