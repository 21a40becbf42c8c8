/** Opens the help with `?` outside of text fields, or from the footer. Its code is loaded at the first opening. */
import { useEffect } from 'react';
import { PanelBoundary } from '../../components/failure.tsx';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { observable, useObservable } from '../../lib/observable.ts';
import { isPageKey } from '../../lib/search-key.ts';
import { PopupFailure, useFocusReturn } from './popup-failure.tsx';

const HelpSheet = lazyPart(async () => (await import('./help-sheet.tsx')).HelpSheet);

const isOpen = observable(false);

export const openHelp = (): void => isOpen.set(true);
const close = (): void => isOpen.set(false);

export function HelpHost() {
  const isShown = useObservable(isOpen);
  useFocusReturn(isShown);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isPageKey(event, '?')) openHelp();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!isShown) return null;
  return (
    <PanelBoundary fallback={<PopupFailure of="help" onClose={close} />} waiting={null}>
      <HelpSheet onClose={close} />
    </PanelBoundary>
  );
}
