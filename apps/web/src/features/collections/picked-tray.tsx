/** Actions for the selected materials, in a bar at the bottom of the window. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { InlineFailure } from '../../components/failure.tsx';
import { Formula } from '../../components/formula.tsx';
import { compareAddress, MOST_COMPARED, type Picked } from '../../components/materials/use-picked.ts';
import { useTexts } from '../../i18n/texts.ts';
import classes from './collections.module.css';
import { collectionTexts } from './texts.ts';
import { useChangeCollection, useCollections, useSaveCollection } from './use-collections.ts';

const NEW = 'new';

/** Adds the selected materials to an existing or a new collection. */
function AddToCollection({ ids }: { readonly ids: readonly number[] }) {
  const { t } = useTexts(collectionTexts);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [sent, setSent] = useState(ids);
  const list = useCollections(isOpen);
  const save = useSaveCollection();
  const change = useChangeCollection();
  const collections = list.data?.collections ?? [];
  const to = chosen ?? String(collections[0]?.id ?? NEW);
  // The success message is not shown for another selection.
  const done = sent.join() === ids.join() && (save.data ?? change.data);
  const forget = (): void => {
    save.reset();
    change.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const close = { onSuccess: () => setOpen(false) };
    forget();
    setSent(ids);
    if (to === NEW) save.mutate({ name: name.trim(), add: [...ids] }, close);
    else change.mutate({ id: Number(to), add: [...ids] }, close);
  };
  if (!isOpen)
    return (
      <>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('add')}
        </Button>
        {done && (
          <output>
            <Link to={`/collections/${done.id}`}>{t('added', { name: done.name })}</Link>
          </output>
        )}
      </>
    );
  return (
    <form className={`uc-row ${classes.addForm}`} onSubmit={submit}>
      <NativeSelect
        aria-label={t('to')}
        data={[
          ...collections.map(({ id, name: label }) => ({ value: String(id), label })),
          { value: NEW, label: t('newOne') },
        ]}
        value={to}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      {to === NEW && (
        <TextInput
          aria-label={t('newName')}
          placeholder={t('newName')}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <Button
        variant="default"
        type="submit"
        disabled={list.isPending || save.isPending || change.isPending || (to === NEW && name.trim() === '')}
      >
        {t('save')}
      </Button>
      <Button
        variant="default"
        onClick={() => {
          setOpen(false);
          forget();
        }}
      >
        {t('cancel')}
      </Button>
      <InlineFailure error={save.error ?? change.error} />
    </form>
  );
}

interface PickedTrayProps {
  readonly picked: Picked;
  readonly scale: string | null;
}

/** Number of selected materials that are listed by name. */
const SHOWN = 6;

export function PickedTray({ picked, scale }: PickedTrayProps) {
  const { t } = useTexts(collectionTexts);
  const { materials, clear } = picked;
  if (materials.length === 0) return null;
  const ids = materials.map(({ structId }) => structId);
  return (
    <section
      className={`uc-row ${classes.tray}`}
      aria-label={t('chosen', { count: ids.length, n: ids.length })}
    >
      <span className={classes.what}>
        <b>{t('chosen', { count: ids.length, n: ids.length })}</b>{' '}
        <span className={classes.names}>
          {materials.slice(0, SHOWN).map(({ structId, formula }, index) => (
            <span key={structId}>
              {index > 0 && ', '}
              <Formula text={formula} /> {structId}
            </span>
          ))}
          {ids.length > SHOWN && ' …'}
        </span>
      </span>
      {ids.length >= 2 && ids.length <= MOST_COMPARED ? (
        <Button className={classes.compare} component={Link} to={compareAddress(ids, scale)}>
          {t('compare')}
        </Button>
      ) : (
        <span className={classes.hint}>{ids.length > MOST_COMPARED && t('compareMost')}</span>
      )}
      <AddToCollection ids={ids} />
      <Button variant="default" onClick={clear}>
        {t('clearChoice')}
      </Button>
    </section>
  );
}
