import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useState } from 'react';

/** The page's colours as the canvas wants them, those of the scheme in force. */
export function useStageColors(frame: RefObject<HTMLElement | null>) {
  const scheme = useComputedColorScheme();
  const [colors, setColors] = useState({ ink: '#191d22', ground: '#fffefb', accent: '#174b73' });
  useEffect(() => {
    const read = (): void => {
      if (!frame.current) return;
      const style = getComputedStyle(frame.current);
      const token = (name: string): string => style.getPropertyValue(`--uc-${name}`).trim();
      const [ink, ground, accent] = [token('ink'), token('surface'), token('prussian')];
      if (ink !== '')
        setColors((now) =>
          now.ink === ink && now.ground === ground && now.accent === accent ? now : { ink, ground, accent },
        );
    };
    // The document takes its scheme after its parts.
    const soon = requestAnimationFrame(read);
    return () => cancelAnimationFrame(soon);
    // Another colour scheme gives other values.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [frame, scheme]);
  return colors;
}
