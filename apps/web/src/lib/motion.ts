/** Animations that respect prefers-reduced-motion. */
export const prefersReducedMotion = (): boolean =>
  globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;

const SCROLL_MS = 450;
const easeOut = (t: number): number => 1 - (1 - t) ** 3;

/**
 * Scrolls the window until `element` is below the navigation bar: slowly enough to follow, and
 * stopped by the first wheel, touch or key event.
 */
export function scrollToElement(element: HTMLElement, offset = 72): void {
  const start = window.scrollY;
  const limit = document.documentElement.scrollHeight - window.innerHeight;
  const end = Math.max(0, Math.min(limit, start + element.getBoundingClientRect().top - offset));
  if (prefersReducedMotion()) {
    window.scrollTo({ top: end });
    return;
  }
  let stopped = false;
  const stop = (): void => {
    stopped = true;
  };
  const events = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;
  for (const event of events) window.addEventListener(event, stop, { once: true, passive: true });
  const begin = performance.now();
  const step = (now: number): void => {
    const progress = Math.min(1, (now - begin) / SCROLL_MS);
    if (stopped) return;
    window.scrollTo({ top: start + (end - start) * easeOut(progress) });
    if (progress < 1) requestAnimationFrame(step);
    else for (const event of events) window.removeEventListener(event, stop);
  };
  requestAnimationFrame(step);
}
