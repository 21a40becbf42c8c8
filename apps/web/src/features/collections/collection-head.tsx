/** Name, note and sharing of a collection. */
import type { CollectionDetail } from '@unitcell/contract/collections';
import { type FormEvent, useState } from 'react';
import { useFailureToastOf } from '../../components/failure-toast.ts';
import { useTexts } from '../../i18n/texts.ts';
import classes from './collections.module.css';
import { RemoveButton } from './remove-button.tsx';
import { collectionTexts } from './texts.ts';
import { useRemoveCollection, useSaveCollection, useShareCollection } from './use-collections.ts';
import { useDateText } from './use-date-text.ts';

interface CollectionHeadProps {
  readonly collection: CollectionDetail;
  readonly onRemoved: () => void;
}

export function CollectionHead({ collection, onRemoved }: CollectionHeadProps) {
  const { t } = useTexts(collectionTexts);
  const dateText = useDateText();
  const [edited, setEdited] = useState<{ readonly name: string; readonly note: string } | null>(null);
  const save = useSaveCollection();
  const share = useShareCollection();
  const remove = useRemoveCollection();
  useFailureToastOf(save.error ?? share.error ?? remove.error);
  const { id, name, note, release, share_key: key, is_own: isOwn, updated_at: changed } = collection;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (edited) save.mutate({ id, ...edited });
  };
  const address = key === null ? null : `${location.origin}/collections/shared/${key}`;
  return (
    <header className={classes.header}>
      <h1>{name}</h1>
      {note !== '' && <p className={classes.note}>{note}</p>}
      <p className={classes.facts}>
        {[
          ...(release === null ? [] : [t('release', { release })]),
          t('changed', { date: dateText(changed) }),
          ...(isOwn ? [] : [t('readOnly')]),
        ].join(' · ')}
      </p>
      {isOwn && (
        <p className={classes.actions}>
          <button
            type="button"
            className={classes.button}
            aria-expanded={edited !== null}
            onClick={() => setEdited(edited ? null : { name, note })}
          >
            {t('edit')}
          </button>
          <button
            type="button"
            className={classes.button}
            disabled={share.isPending}
            onClick={() => share.mutate({ id, is_shared: key === null })}
          >
            {t(key === null ? 'share' : 'unshare')}
          </button>
          <RemoveButton
            name={name}
            isBusy={remove.isPending}
            onRemove={() => remove.mutate(id, { onSuccess: onRemoved })}
          />
        </p>
      )}
      {isOwn && address !== null && (
        <label className={classes.link}>
          {t('link')}
          <input readOnly value={address} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
      {edited && (
        <form className={classes.edit} onSubmit={submit}>
          <label>
            {t('name')}
            <input
              maxLength={100}
              value={edited.name}
              onChange={(event) => setEdited({ ...edited, name: event.currentTarget.value })}
            />
          </label>
          <label>
            {t('note')}
            <textarea
              rows={3}
              maxLength={2000}
              value={edited.note}
              onChange={(event) => setEdited({ ...edited, note: event.currentTarget.value })}
            />
          </label>
          <button
            type="submit"
            className={classes.button}
            disabled={edited.name.trim() === '' || save.isPending}
          >
            {t('save')}
          </button>
        </form>
      )}
    </header>
  );
}
