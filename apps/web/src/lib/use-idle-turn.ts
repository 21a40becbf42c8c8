/**
 * True once the page has been drawn and the browser has nothing more urgent to do. Parts that ask on the same page get
 * their turns one after the other, so that none of them makes a finger wait for all.
 */
import { startTransition, useEffect, useState } from 'react';

/** A busy page shows its parts after this much waiting all the same. */
const LONGEST_WAIT_MS = 1500;

/** Resolves once the first words of the site are on the screen; a page in the background paints nothing and is not waited for. */
const firstPaint = (): Promise<void> =>
  new Promise((resolve) => {
    const isTold =
      typeof PerformanceObserver === 'function' && PerformanceObserver.supportedEntryTypes.includes('paint');
    if (!isTold || document.visibilityState === 'hidden') return resolve();
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      resolve();
    });
    observer.observe({ type: 'paint', buffered: true });
    setTimeout(resolve, LONGEST_WAIT_MS);
  });

// What has turns is no part of the first screen: it must not stand between the visitor and the first words.
let lastTurn = firstPaint();

const idleMoment = (longestWaitMs: number): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no idle callbacks.
    if (typeof window.requestIdleCallback === 'function')
      window.requestIdleCallback(() => resolve(), { timeout: longestWaitMs });
    else setTimeout(resolve, 50);
  });

/** Waits for all earlier turns and then for an idle moment; those who left in the meantime take none. */
function takeTurn(longestWaitMs: number, isGone: () => boolean): Promise<void> {
  lastTurn = lastTurn.then(() => (isGone() ? undefined : idleMoment(longestWaitMs)));
  return lastTurn;
}

/** @param longestWaitMs on a busy page; for one of many parts it is to be short */
export function useIdleTurn(longestWaitMs = LONGEST_WAIT_MS): boolean {
  const [hasTurn, setHasTurn] = useState(false);
  useEffect(() => {
    let isGone = false;
    // A transition is drawn in slices of some milliseconds, between which a finger is heard.
    const show = (): void => startTransition(() => setHasTurn(true));
    void takeTurn(longestWaitMs, () => isGone).then(() => !isGone && show());
    return () => {
      isGone = true;
    };
  }, [longestWaitMs]);
  return hasTurn;
}
