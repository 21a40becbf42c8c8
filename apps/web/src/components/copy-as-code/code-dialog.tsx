/** The dialog that shows the request of a page as a program. */
import { Modal } from '@mantine/core';
import { SNIPPET_LANGUAGES, type SnippetLanguage, snippetOf } from '@unitcell/client';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { currentLanguage } from '../../i18n/i18n.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { SentRequest } from '../../lib/api-client.ts';
import { useIsCompact } from '../../lib/breakpoints.ts';
import { downloadText } from '../../lib/download.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { ToolbarButtons } from '../toolbar-buttons.tsx';
import classes from '../toolbar.module.css';
import { copyAsCodeTexts } from './texts.ts';

const LANGUAGE_KEY = 'snippetLanguage';
const NAMES: Readonly<Record<SnippetLanguage, string>> = {
  curl: 'curl',
  python: 'Python',
  typescript: 'TypeScript',
};

const storedLanguage = (): SnippetLanguage =>
  SNIPPET_LANGUAGES.find((language) => language === readStored(LANGUAGE_KEY)) ?? 'python';

interface CodeDialogProps {
  readonly sent: SentRequest;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CodeDialog({ sent, isOpen, onClose }: CodeDialogProps) {
  const { t } = useTexts(copyAsCodeTexts);
  const isCompact = useIsCompact();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('title')}
      size="xl"
      fullScreen={isCompact}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Program sent={sent} />
    </Modal>
  );
}

function Program({ sent }: { readonly sent: SentRequest }) {
  const { t } = useTexts(copyAsCodeTexts);
  const [language, setLanguage] = useState(storedLanguage);
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null);
  const { code, request } = snippetOf({
    ...sent,
    site: location.origin,
    language,
    texts: currentLanguage(),
  });
  const choose = (next: SnippetLanguage): void => {
    writeStored(LANGUAGE_KEY, next);
    setLanguage(next);
    setOutcome(null);
  };
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(code);
      setOutcome('copied');
    } catch {
      setOutcome('notCopied');
    }
  };
  return (
    <div className="uc-stack">
      <p className="uc-note">
        {t('lead')} <Link to="/account?tab=account">{t('getKey')}</Link>
      </p>
      <div className={`uc-row ${classes.codeBar}`}>
        <ToolbarButtons
          label={t('language')}
          buttons={SNIPPET_LANGUAGES.map((name) => ({
            id: name,
            label: NAMES[name],
            isOn: name === language,
            onClick: () => choose(name),
          }))}
        />
        <ToolbarButtons
          label={t('actions')}
          buttons={[
            { id: 'copy', label: t('copy'), onClick: () => void copy() },
            ...(request === null
              ? []
              : [
                  {
                    id: 'request',
                    label: t('request'),
                    onClick: () => downloadText('request.json', request, 'application/json'),
                  },
                ]),
          ]}
        />
        <output className="uc-note">{outcome && t(outcome)}</output>
      </div>
      <pre
        className={`uc-panel ${classes.code}`}
        // Keyboard users must be able to focus a scrolling region.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={NAMES[language]}
        data-language={language}
      >
        <code>{code}</code>
      </pre>
      {request !== null && <p className="uc-note">{t('requestNote')}</p>}
      <p className="uc-note">{t(language)}</p>
    </div>
  );
}
