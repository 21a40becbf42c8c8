/** Asks before what cannot be undone, or ends somebody's sessions. */
import { Button, Modal } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { operateTexts } from '../texts.ts';
import classes from './operate.module.css';

interface ConfirmDialogProps {
  readonly title: string;
  readonly question: string;
  readonly doLabel: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ConfirmDialog({ title, question, doLabel, onConfirm, onClose }: ConfirmDialogProps) {
  const { t } = useTexts(operateTexts);
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <p>{question}</p>
      <div className={classes.buttons}>
        <Button color="var(--uc-cinnabar)" variant="outline" onClick={onConfirm}>
          {doLabel}
        </Button>
        <Button variant="subtle" onClick={onClose} data-autofocus>
          {t('back')}
        </Button>
      </div>
    </Modal>
  );
}
