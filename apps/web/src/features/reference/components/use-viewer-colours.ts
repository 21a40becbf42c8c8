/** The colours of the site in the words of the viewer, which takes no variables. */
import { useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';

export function useViewerColours() {
  const scheme = useComputedColorScheme();
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    return {
      theme: scheme,
      'bg-color': colour('--uc-ground'),
      'text-color': colour('--uc-ink'),
      'primary-color': colour('--uc-prussian'),
      'nav-bg-color': colour('--uc-ground'),
      'nav-text-color': colour('--uc-ink'),
    };
  }, [scheme]);
}
