/** Keeps the element named in the address (#id) in view while a page renders. */
import { useEffect, type RefObject } from 'react';

/** The id that a hash names. A hash that is no valid encoding, such as `#%`, is taken as it stands. */
export function idInHash(hash: string): string {
  const text = hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Scrolls to the element that the hash names, and again whenever `content` changes its height, until the visitor
 * scrolls, clicks or types: content is rendered too late for the browser to scroll to it, and what stands above
 * the target grows while it loads.
 */
export function useHashTarget(hash: string, content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (hash === '' || !content.current) return undefined;
    const showTarget = () => document.getElementById(idInHash(hash))?.scrollIntoView();
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
