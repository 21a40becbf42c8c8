/** Opens the palette with Ctrl K, ⌘ K, the bar, or / on pages without a search. Its code loads at first use. */
import { useEffect } from 'react';
import { PanelBoundary } from '../../../components/failure.tsx';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { observable, useObservable } from '../../../lib/observable.ts';
import { isSearchKey } from '../../../lib/search-key.ts';
import { PopupFailure, useFocusReturn } from '../popup-failure.tsx';

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);

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
      // The / key, on a page without its own search box.
      const isSought = isSearchKey(event) && !document.querySelector('[aria-keyshortcuts="/"]');
      if (!isCalled && !isSought) return;
      event.preventDefault();
      isOpen.set(isSought || !isOpen.get());
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!isShown) return null;
  return (
    <PanelBoundary fallback={<PopupFailure of="palette" onClose={close} />} waiting={null}>
      <Palette onClose={close} />
    </PanelBoundary>
  );
}
