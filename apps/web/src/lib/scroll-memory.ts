/**
 * Scroll positions of pages. The router stores the first page of a tab under one key, whichever page that is. An
 * address typed later in the same tab would therefore open at the position of another page.
 */
import type { Location } from 'react-router-dom';

export const SCROLL_STORAGE_KEY = 'scrollPositions';

/** Key that the router gives to a history entry which it did not create. */
const FIRST_ENTRY = 'default';

export const scrollKeyOf = ({
  key,
  pathname,
  search,
}: Pick<Location, 'key' | 'pathname' | 'search'>): string => (key === FIRST_ENTRY ? pathname + search : key);

/** A new page starts at the top, unlike one reached by Back or reload (spec §2.1). */
export function forgetPositionOf(address: string, storageOf: () => Storage = () => sessionStorage): void {
  try {
    // Accessing storage throws if it is forbidden.
    const storage = storageOf();
    const stored: unknown = JSON.parse(storage.getItem(SCROLL_STORAGE_KEY) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return;
    const kept = Object.entries(stored).filter(([key]) => key !== address);
    storage.setItem(SCROLL_STORAGE_KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Storage is unavailable or its content is invalid: no position is restored.
  }
}

/** Called once, before the first page is shown. */
export function beginAtTop(): void {
  const [load] = performance.getEntriesByType('navigation');
  const isNew = !(load instanceof PerformanceNavigationTiming) || load.type === 'navigate';
  if (isNew) forgetPositionOf(location.pathname + location.search);
}
