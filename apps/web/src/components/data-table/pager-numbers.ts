/** Number buttons a pager has at most. */
export const PAGER_BUTTONS = 7;

/**
 * Pages (from 1) to offer as buttons: the first, the last and those around the current one, at most seven numbers;
 * null stands where numbers are left out.
 * @example pagerNumbers(10, 40) // [1, null, 8, 9, 10, 11, 12, null, 40]
 */
export function pagerNumbers(current: number, pageCount: number): readonly (number | null)[] {
  if (pageCount <= PAGER_BUTTONS) return Array.from({ length: pageCount }, (_, i) => i + 1);
  const inner = PAGER_BUTTONS - 2;
  const half = Math.floor(inner / 2);
  const first = Math.max(2, Math.min(current - half, pageCount - inner));
  const middle = Array.from({ length: inner }, (_, i) => first + i);
  return [
    1,
    ...(first > 2 ? [null] : []),
    ...middle,
    ...(first + inner < pageCount ? [null] : []),
    pageCount,
  ];
}
