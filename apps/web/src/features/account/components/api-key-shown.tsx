/** The key itself, this once. */
import { Button, CopyButton, Modal, TextInput } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { keyTexts } from '../key-texts.ts';
import pageClasses from './account-page.module.css';
import classes from './login-overlay.module.css';

export function ApiKeyShown({ apiKey, onDone }: { readonly apiKey: string; readonly onDone: () => void }) {
  const { t } = useTexts(keyTexts);
  return (
    <Modal
      opened
      centered
      size="30rem"
      title={t('shownTitle')}
      onClose={onDone}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ title: classes.title, content: classes.content, header: classes.header }}
    >
      <div className={pageClasses.form}>
        <p>{t('shownLead')}</p>
        <TextInput
          readOnly
          aria-label={t('shownTitle')}
          value={apiKey}
          classNames={{ input: pageClasses.key }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div className={pageClasses.avatarTools}>
          <CopyButton value={apiKey}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? t('copied') : t('copy')}</Button>}
          </CopyButton>
          <Button variant="default" onClick={onDone}>
            {t('kept')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
