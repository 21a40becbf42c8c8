/** Puts the chosen materials into a collection: one there is, or a new one. */
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { useFailureToastOf } from '../../components/failure-toast.ts';
import { useTexts } from '../../i18n/texts.ts';
import classes from './collections.module.css';
import { collectionTexts } from './texts.ts';
import { useChangeCollection, useCollections, useSaveCollection } from './use-collections.ts';

const NEW = 'new';

export function AddToCollection({ ids }: { readonly ids: readonly number[] }) {
  const { t } = useTexts(collectionTexts);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const list = useCollections(isOpen);
  const save = useSaveCollection();
  const change = useChangeCollection();
  useFailureToastOf(save.error ?? change.error);
  const collections = list.data?.collections ?? [];
  const to = chosen ?? String(collections[0]?.id ?? NEW);
  const done = save.data ?? change.data;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const close = { onSuccess: () => setOpen(false) };
    save.reset();
    change.reset();
    if (to === NEW) save.mutate({ name: name.trim(), add: [...ids] }, close);
    else change.mutate({ id: Number(to), add: [...ids] }, close);
  };
  if (!isOpen)
    return (
      <>
        <button type="button" className={classes.button} onClick={() => setOpen(true)}>
          {t('add')}
        </button>
        {done && (
          <output>
            <Link to={`/collections/${done.id}`}>{t('added', { name: done.name })}</Link>
          </output>
        )}
      </>
    );
  return (
    <form className={classes.addForm} onSubmit={submit}>
      <select aria-label={t('to')} value={to} onChange={(event) => setChosen(event.currentTarget.value)}>
        {collections.map(({ id, name: own }) => (
          <option key={id} value={id}>
            {own}
          </option>
        ))}
        <option value={NEW}>{t('newOne')}</option>
      </select>
      {to === NEW && (
        <input
          aria-label={t('newName')}
          placeholder={t('newName')}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <button
        type="submit"
        className={classes.button}
        disabled={list.isPending || save.isPending || change.isPending || (to === NEW && name.trim() === '')}
      >
        {t('save')}
      </button>
      <button type="button" className={classes.button} onClick={() => setOpen(false)}>
        {t('cancel')}
      </button>
    </form>
  );
}
