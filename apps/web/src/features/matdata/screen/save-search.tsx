/** Keeps the filter under a name in the account. */
import { saveSearch } from '@unitcell/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { useFailureToastOf } from '../../../components/failure-toast.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import classes from './screen.module.css';
import { screenTexts } from './texts.ts';

interface SaveSearchProps {
  readonly filter: string;
  readonly scale: string;
}

export function SaveSearch({ filter, scale }: SaveSearchProps) {
  const { t } = useTexts(screenTexts);
  const client = useQueryClient();
  const [name, setName] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: async (wanted: string) =>
      expectOutcome(await callApi(saveSearch, { name: wanted, filter, scale })).search,
    onSuccess: () => {
      setName(null);
      return client.invalidateQueries({ queryKey: ['collections'] });
    },
  });
  useFailureToastOf(save.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name !== null && name.trim() !== '') save.mutate(name.trim());
  };
  if (name === null)
    return (
      <p className={classes.download}>
        <button type="button" className={classes.format} onClick={() => setName('')}>
          {t('saveSearch')}
        </button>
        {save.isSuccess && save.variables !== undefined && (
          <output>
            <Link to="/collections">{t('searchSaved')}</Link>
          </output>
        )}
      </p>
    );
  return (
    <form className={classes.download} onSubmit={submit}>
      <input
        className={classes.nameBox}
        aria-label={t('searchName')}
        placeholder={t('searchName')}
        maxLength={100}
        value={name}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the box stands where the button was that asked for it
        autoFocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" className={classes.format} disabled={name.trim() === '' || save.isPending}>
        {t('save')}
      </button>
      <button type="button" className={classes.format} onClick={() => setName(null)}>
        {t('cancel')}
      </button>
    </form>
  );
}
