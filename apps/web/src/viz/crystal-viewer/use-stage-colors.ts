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
      if (token('ink') !== '')
        setColors({ ink: token('ink'), ground: token('surface'), accent: token('prussian') });
    };
    // The document takes its scheme after its parts.
    const soon = requestAnimationFrame(read);
    return () => cancelAnimationFrame(soon);
    // Another colour scheme gives other values.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [frame, scheme]);
  return colors;
}
