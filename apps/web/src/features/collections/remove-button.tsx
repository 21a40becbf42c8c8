/** Deletes after a second click, because it cannot be undone. */
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import classes from './collections.module.css';
import { collectionTexts } from './texts.ts';

interface RemoveButtonProps {
  readonly name: string;
  readonly isBusy: boolean;
  readonly onRemove: () => void;
}

export function RemoveButton({ name, isBusy, onRemove }: RemoveButtonProps) {
  const { t } = useTexts(collectionTexts);
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <button
        type="button"
        className={classes.button}
        aria-label={t('removeOf', { name })}
        onClick={() => setAsking(true)}
      >
        {t('remove')}
      </button>
    );
  return (
    <>
      <span role="alert">{t('reallyRemove', { name })}</span>
      <button type="button" className={classes.danger} disabled={isBusy} onClick={onRemove}>
        {t('remove')}
      </button>
      <button type="button" className={classes.button} onClick={() => setAsking(false)}>
        {t('cancel')}
      </button>
    </>
  );
}
