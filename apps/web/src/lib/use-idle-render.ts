/**
 * True once the page has been drawn and the browser is idle. Parts of one page are rendered one after the
 * other, so that input is handled between them.
 */
import { startTransition, useEffect, useState } from 'react';

/** On a busy page, parts are shown after this time at the latest. */
const LONGEST_WAIT_MS = 1500;

/** Resolves after the first paint; a page in the background does not paint and is not waited for. */
const firstPaint = (): Promise<void> =>
  new Promise((resolve) => {
    const isSupported =
      typeof PerformanceObserver === 'function' && PerformanceObserver.supportedEntryTypes.includes('paint');
    if (!isSupported || document.visibilityState === 'hidden') return resolve();
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      resolve();
    });
    observer.observe({ type: 'paint', buffered: true });
    setTimeout(resolve, LONGEST_WAIT_MS);
  });

// Parts rendered when idle are below the first screen and must not delay it.
let lastPart = firstPaint();

const idleMoment = (longestWaitMs: number): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no idle callbacks.
    if (typeof window.requestIdleCallback === 'function')
      window.requestIdleCallback(() => resolve(), { timeout: longestWaitMs });
    else setTimeout(resolve, 50);
  });

/** Waits for all earlier parts and then for an idle moment; unmounted parts are skipped. */
function waitForIdle(longestWaitMs: number, isGone: () => boolean): Promise<void> {
  lastPart = lastPart.then(() => (isGone() ? undefined : idleMoment(longestWaitMs)));
  return lastPart;
}

/** @param longestWaitMs maximum wait on a busy page; choose it short if a page has many such parts */
export function useIdleRender(longestWaitMs = LONGEST_WAIT_MS): boolean {
  const [isDrawn, setHasTurn] = useState(false);
  useEffect(() => {
    let isGone = false;
    // A transition is rendered in slices of some milliseconds, between which input is handled.
    const show = (): void => startTransition(() => setHasTurn(true));
    void waitForIdle(longestWaitMs, () => isGone).then(() => !isGone && show());
    return () => {
      isGone = true;
    };
  }, [longestWaitMs]);
  return isDrawn;
}
