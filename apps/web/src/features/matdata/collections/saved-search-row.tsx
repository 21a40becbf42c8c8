/** A saved search: what it finds today, and what of it is new since it was seen. */
import { type SavedSearch, screenMaterials } from '@unitcell/contract';
import { allOf, comparison, parseFilter, printFilter } from '@unitcell/filter';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useFailureToastOf } from '../../../components/failure-toast.ts';
import { SCALE_PARAMETER } from '../../../components/energy-scale/scale-parameter.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { formatCount } from '../../../lib/format.ts';
import { chipsOf, conditionsOfText } from '../screen/conditions.ts';
import { useChipText } from '../screen/use-chip-text.ts';
import classes from './collections.module.css';
import { RemoveButton } from './remove-button.tsx';
import { collectionTexts } from './texts.ts';
import { useRemoveSearch, useSeeSearch } from './use-collections.ts';
import { useDateText } from './use-date-text.ts';

const addressOf = (filter: string, scale: string): string =>
  `/matdata?${new URLSearchParams({ filter, ...(scale === '' ? {} : { [SCALE_PARAMETER]: scale }) }).toString()}`;

/** The filter with one condition more: added since. */
export function sinceFilter({ filter, seen_at: seenAt }: Pick<SavedSearch, 'filter' | 'seen_at'>): string {
  const since = comparison('added', '>', seenAt);
  return printFilter(allOf(filter === '' ? [since] : [parseFilter(filter).tree, since])!);
}

function useCount(filter: string, scale: string) {
  return useQuery({
    queryKey: ['matdata', 'count', filter, scale],
    queryFn: async ({ signal }) =>
      expectOutcome(
        await callApi(screenMaterials, { filter, limit: 0, ...(scale === '' ? {} : { scale }) }, { signal }),
      ).total,
    retry: false,
  });
}

export function SavedSearchRow({ search }: { readonly search: SavedSearch }) {
  const { t } = useTexts(collectionTexts);
  const dateText = useDateText();
  const chipText = useChipText();
  const { id, name, filter, scale } = search;
  const newFilter = sinceFilter(search);
  const all = useCount(filter, scale);
  const news = useCount(newFilter, scale);
  const see = useSeeSearch();
  const remove = useRemoveSearch();
  useFailureToastOf(see.error ?? remove.error);
  const since = { date: dateText(search.seen_at), release: search.seen_release ?? '–' };
  const words = chipsOf(conditionsOfText(filter) ?? []).map(chipText);
  return (
    <li className={classes.row}>
      <Link to={addressOf(filter, scale)} className={classes.name}>
        {name}
      </Link>
      <span className={classes.facts}>
        {words.length === 0 ? t('everything') : words.join(' · ')}
        {scale !== '' && ` · ${scale}`}
      </span>
      <span className={classes.news}>
        {all.data !== undefined && t('materials', { count: all.data, n: formatCount(all.data) })}
        {news.data !== undefined && news.data > 0 && (
          <Link to={addressOf(newFilter, scale)} className={classes.new}>
            {formatCount(news.data)} {t('news', since)}
          </Link>
        )}
        {news.data === 0 && <span className={classes.facts}>{t('noNews', since)}</span>}
        {(all.error ?? news.error) !== null && <span role="alert">{(all.error ?? news.error)?.message}</span>}
      </span>
      <span className={classes.actions}>
        <button
          type="button"
          className={classes.button}
          title={t('seenOf', { name })}
          disabled={see.isPending}
          onClick={() => see.mutate(id)}
        >
          {t('seen')}
        </button>
        <RemoveButton name={name} isBusy={remove.isPending} onRemove={() => remove.mutate(id)} />
      </span>
    </li>
  );
}
