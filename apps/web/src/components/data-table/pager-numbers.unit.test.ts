import { describe, expect, it } from 'vitest';
import { PAGER_BUTTONS, pagerNumbers } from './pager.tsx';

describe('pagerNumbers', () => {
  it('shows every page of a short table', () => {
    expect(pagerNumbers(1, 1)).toEqual([1]);
    expect(pagerNumbers(3, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('leaves gaps only where numbers are missing', () => {
    expect(pagerNumbers(1, 40)).toEqual([1, 2, 3, 4, 5, 6, null, 40]);
    expect(pagerNumbers(10, 40)).toEqual([1, null, 8, 9, 10, 11, 12, null, 40]);
    expect(pagerNumbers(40, 40)).toEqual([1, null, 35, 36, 37, 38, 39, 40]);
  });

  it('always offers the current page, first and last, seven numbers and no page twice', () => {
    for (let count = 8; count < 30; count++)
      for (let page = 1; page <= count; page++) {
        const numbers = pagerNumbers(page, count).filter((n) => n !== null);
        expect(numbers).toHaveLength(PAGER_BUTTONS);
        expect(new Set(numbers).size).toBe(PAGER_BUTTONS);
        expect(numbers).toContain(page);
        expect(numbers[0]).toBe(1);
        expect(numbers.at(-1)).toBe(count);
      }
  });
});
