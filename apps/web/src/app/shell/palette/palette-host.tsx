/** Opens the palette with Ctrl K or ⌘ K, or from the bar. Its code comes with the first opening. */
import { lazy, Suspense, useEffect } from 'react';
import { PanelBoundary } from '../../../components/panel-boundary.tsx';
import { observable, useObservable } from '../../../lib/observable.ts';
import { useFocusReturn } from '../use-focus-return.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

const isOpen = observable(false);

export const openPalette = (): void => isOpen.set(true);
const close = (): void => isOpen.set(false);

export function PaletteHost() {
  const isShown = useObservable(isOpen);
  useFocusReturn(isShown);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isCalled =
        (event.ctrlKey || event.metaKey) &&
        !event.altKey &&
        !event.shiftKey &&
        event.key.toLowerCase() === 'k';
      if (!isCalled) return;
      event.preventDefault();
      isOpen.set(!isOpen.get());
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!isShown) return null;
  return (
    <PanelBoundary fallback={null}>
      <Suspense>
        <Palette onClose={close} />
      </Suspense>
    </PanelBoundary>
  );
}
