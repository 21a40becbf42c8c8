/** Shows the request of a page as a program in curl, Python or TypeScript. The dialog is loaded on demand. */
import { IconCode } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { SentRequest } from '../../lib/api-client.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { PanelBoundary } from '../failure.tsx';
import classes from '../toolbar.module.css';
import { copyAsCodeTexts } from './texts.ts';

const CodeDialog = lazyPart(async () => (await import('./code-dialog.tsx')).CodeDialog);

export function CopyAsCode({ sent }: { readonly sent: SentRequest }) {
  const { t } = useTexts(copyAsCodeTexts);
  const [isOpen, setIsOpen] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`uc-button ${classes.open}`}
        title={t('hint')}
        aria-haspopup="dialog"
        onClick={() => {
          setIsAsked(true);
          setIsOpen(true);
        }}
      >
        <IconCode size={16} aria-hidden="true" /> {t('open')}
      </button>
      {isAsked && (
        <PanelBoundary>
          <Suspense>
            <CodeDialog sent={sent} isOpen={isOpen} onClose={() => setIsOpen(false)} />
          </Suspense>
        </PanelBoundary>
      )}
    </>
  );
}
