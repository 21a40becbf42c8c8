/**
 * Where pages were scrolled to. The router files the first page of a tab under one name, whichever page that is: an
 * address typed later in the same tab would open where another page was left.
 */
import type { Location } from 'react-router-dom';

export const SCROLL_STORAGE_KEY = 'scrollPositions';

/** Of the router, for entries of the history that it did not make. */
const FIRST_ENTRY = 'default';

export const scrollKeyOf = ({
  key,
  pathname,
  search,
}: Pick<Location, 'key' | 'pathname' | 'search'>): string => (key === FIRST_ENTRY ? pathname + search : key);

/** A page that was come to, rather than gone back to or loaded again, begins at its top (spec §2.1). */
export function forgetPositionOf(address: string, storageOf: () => Storage = () => sessionStorage): void {
  try {
    // Where storage is forbidden, naming it throws.
    const storage = storageOf();
    const stored: unknown = JSON.parse(storage.getItem(SCROLL_STORAGE_KEY) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return;
    const kept = Object.entries(stored).filter(([key]) => key !== address);
    storage.setItem(SCROLL_STORAGE_KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // No storage, or somebody else's text in it: nothing is remembered.
  }
}

/** Called once, before the first page is shown. */
export function beginAtTop(): void {
  const [load] = performance.getEntriesByType('navigation');
  const isNew = !(load instanceof PerformanceNavigationTiming) || load.type === 'navigate';
  if (isNew) forgetPositionOf(location.pathname + location.search);
}
