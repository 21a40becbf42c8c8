import { useEffect, useState } from 'react';

/** True once the page is scrolled by more than this many pixels: then the bar turns opaque (spec §2.2). */
const THRESHOLD_PX = 10;

export function useScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(() => window.scrollY > THRESHOLD_PX);
  useEffect(() => {
    const update = (): void => setScrolled(window.scrollY > THRESHOLD_PX);
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, []);
  return isScrolled;
}
