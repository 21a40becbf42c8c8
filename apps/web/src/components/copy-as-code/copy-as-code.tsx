/** Shows the request of a page as a program in curl, Python or TypeScript. The dialog is loaded on demand. */
import { IconCode } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { SentRequest } from '../../lib/api-client.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { PanelBoundary } from '../failure.tsx';
import { useDownload } from '../file-origin.tsx';
import { ToolbarButtons } from '../toolbar-buttons.tsx';
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
        <PanelBoundary waiting={null}>
          <CodeDialog sent={sent} isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </PanelBoundary>
      )}
    </>
  );
}

interface AnswerToolsProps {
  readonly sent: SentRequest;
  readonly answer: object;
  /** Name of the file, without its extension. */
  readonly name: string;
}

/** An answer for programs: its request as code, and the answer as a JSON file. */
export function AnswerTools({ sent, answer, name }: AnswerToolsProps) {
  const download = useDownload();
  const json = () => download.json(`${name}.json`, answer);
  return (
    <>
      <CopyAsCode sent={sent} />
      <ToolbarButtons label="JSON" buttons={[{ id: 'json', label: 'JSON', onClick: json }]} />
    </>
  );
}
