/** A button that asks for confirmation before it deletes, because a deletion cannot be undone. */
import { Button } from '@mantine/core';
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
      <Button variant="default" aria-label={t('removeOf', { name })} onClick={() => setAsking(true)}>
        {t('remove')}
      </Button>
    );
  return (
    <>
      <span role="alert">{t('reallyRemove', { name })}</span>
      <Button variant="default" className={classes.danger} disabled={isBusy} onClick={onRemove}>
        {t('remove')}
      </Button>
      <Button variant="default" onClick={() => setAsking(false)}>
        {t('cancel')}
      </Button>
    </>
  );
}
