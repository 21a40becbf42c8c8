/** A popup's code could not be loaded: the banner says so, and the page stays as it is. The next opening retries. */
import { useEffect } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { showBanner } from '../../lib/notify.ts';
import { renewFailedParts } from '../../lib/lazy-part.tsx';
import { askServer } from './ask-server.ts';
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
