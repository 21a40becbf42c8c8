import { useLayoutEffect } from 'react';

/** While a popup is open its opener is remembered, to have the focus back afterwards. */
export function useFocusReturn(isOpen: boolean): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    if (!isOpen || !(opener instanceof HTMLElement)) return undefined;
    return () => opener.focus();
  }, [isOpen]);
}
