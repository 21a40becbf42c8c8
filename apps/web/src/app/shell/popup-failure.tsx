/** A popup's code did not arrive: said in the banner, and the page stays as it is. The next opening tries anew. */
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
