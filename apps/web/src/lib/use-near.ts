/**
 * True once an element has come near the window, or the visitor has done anything at all: what is far below a page just
 * opened need not be fetched before it is wanted.
 */
import { type RefObject, useEffect, useState } from 'react';

const NEAR_PX = 300;
const INTERACTIONS = ['pointerdown', 'keydown', 'wheel', 'touchstart', 'scroll', 'beforeprint'] as const;

/** The page on which a visitor has done something; what is drawn there later need not be asked for again. */
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
      { rootMargin: `${NEAR_PX}px 0px` },
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
