/** A part of the page over the whole screen. */
import { type RefObject, useEffect, useState } from 'react';

export async function toggleFullScreen(frame: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await frame?.requestFullscreen?.();
}

export function useFullScreen(frame: RefObject<HTMLElement | null>): boolean {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const update = (): void => setFull(document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', update);
    return () => document.removeEventListener('fullscreenchange', update);
  }, [frame]);
  return isFull;
}
