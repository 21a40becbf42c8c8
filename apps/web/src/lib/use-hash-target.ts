/** Keeps the element named in the address (#id) in view while a page renders. */
import { useEffect, type RefObject } from 'react';

/**
 * Scrolls to the element that the hash names, and again whenever `content` changes its height, until the visitor
 * scrolls, clicks or types: content is rendered too late for the browser to scroll to it, and what stands above
 * the target grows while it loads.
 */
export function useHashTarget(hash: string, content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (hash === '' || !content.current) return undefined;
    const showTarget = () => document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
    const growth = new ResizeObserver(showTarget);
    growth.observe(content.current);
    const moved = new AbortController();
    const release = () => {
      growth.disconnect();
      moved.abort();
    };
    for (const action of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      addEventListener(action, release, { passive: true, signal: moved.signal });
    showTarget();
    return release;
  }, [hash, content]);
}
