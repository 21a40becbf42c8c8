/**
 * Shown if a popup's code could not be loaded: the banner says so, and the page is unchanged. The next opening retries.
 */
import { useEffect, useLayoutEffect } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { showBanner } from '../../lib/notify.ts';
import { renewFailedParts } from '../../lib/lazy-part.tsx';
import { askServer } from '../../lib/use-about-data.ts';
import { shellTexts } from './texts.ts';

interface PopupFailureProps {
  readonly of: 'login' | 'palette' | 'help';
  readonly onClose: () => void;
}

export function PopupFailure({ of, onClose }: PopupFailureProps) {
  const { t } = useTexts(shellTexts);
  useEffect(() => {
    void askServer();
    showBanner('error', t(`${of}Failed`));
    renewFailedParts();
    onClose();
  }, [t, of, onClose]);
  return null;
}

/** Remembers the element that opened a popup, and returns the focus to it when the popup closes. */
export function useFocusReturn(isOpen: boolean): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    if (!isOpen || !(opener instanceof HTMLElement)) return undefined;
    return () => opener.focus();
  }, [isOpen]);
}
