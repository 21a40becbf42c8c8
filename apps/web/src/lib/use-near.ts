/**
 * True once an element is in or near the window, or after the first user input on the page: parts far below the fold
 * need not be fetched earlier. On phones, which have slow processors, an element must be in the window.
 */
import { type RefObject, useEffect, useState } from 'react';
import { COMPACT_QUERY } from './breakpoints.ts';

/** Distance from the window in px up to which an element is near. */
const nearPx = (): number => (matchMedia(COMPACT_QUERY).matches ? 0 : 300);

const INTERACTIONS = ['pointerdown', 'keydown', 'wheel', 'touchstart', 'scroll', 'beforeprint'] as const;

/** The page on which the user has acted. Parts that mount later on this page are shown at once. */
let actedOn = '';
const act = (): void => {
  actedOn = location.pathname;
};
if (typeof window !== 'undefined')
  for (const event of INTERACTIONS) addEventListener(event, act, { passive: true, capture: true });

const isWanted = (): boolean => typeof IntersectionObserver === 'undefined' || actedOn === location.pathname;

export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(isWanted);
  useEffect(() => {
    if (isNear || !element.current) return undefined;
    const come = (): void => setNear(true);
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) come();
      },
      { rootMargin: `${nearPx()}px 0px` },
    );
    observer.observe(element.current);
    for (const event of INTERACTIONS) addEventListener(event, come, { passive: true, once: true });
    return () => {
      observer.disconnect();
      for (const event of INTERACTIONS) removeEventListener(event, come);
    };
  }, [element, isNear]);
  return isNear;
}
