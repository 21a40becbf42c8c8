/** /collections: the account's collections and saved searches. */
import { screenMaterials } from '@unitcell/contract/calls';
import type { Collection, SavedSearch } from '@unitcell/contract/collections';
import { Button, Skeleton } from '@mantine/core';
import { Link } from 'react-router-dom';
import { allOf, comparison, parseFilter, printFilter } from '@unitcell/filter';
import { useQuery } from '@tanstack/react-query';
import { CopyAsCode } from '../../components/copy-as-code/copy-as-code.tsx';
import { Examples } from '../../components/examples.tsx';
import { ErrorPanel, InlineFailure } from '../../components/failure.tsx';
import { Section } from '../../components/section.tsx';
import { dayText } from '../../i18n/dates.ts';
import { useTexts } from '../../i18n/texts.ts';
import { formatCount, MISSING } from '../../lib/format.ts';
import { collectionTexts } from './texts.ts';
import { COLLECTIONS, useCollections, useRemoveSearch, useSeeSearch } from './use-collections.ts';
import { SCALE_PARAMETER, useScaleName } from '../../components/energy-scale/energy-scale.tsx';
import { apiQuery } from '../../lib/api-client.ts';
import { chipsOf, conditionsOfText } from '../../components/filter/conditions.ts';
import { useChipText } from '../../components/filter/filter-fields.ts';
import { RemoveButton } from './remove-button.tsx';
import classes from './collections.module.css';

// A saved search: its current result count, and the number of new results since the last visit.

const addressOf = (filter: string, scale: string): string =>
  `/matdata?${new URLSearchParams({ filter, ...(scale === '' ? {} : { [SCALE_PARAMETER]: scale }) }).toString()}`;

/** The filter restricted to materials added since a date. */
function sinceFilter({ filter, seen_at: seenAt }: Pick<SavedSearch, 'filter' | 'seen_at'>): string {
  const since = comparison('added', '>', seenAt);
  return printFilter(allOf(filter === '' ? [since] : [parseFilter(filter).tree, since])!);
}

function useCount(filter: string, scale: string) {
  return useQuery({
    ...apiQuery({ call: screenMaterials, body: { filter, limit: 0, ...(scale === '' ? {} : { scale }) } }),
    select: ({ total }) => total,
    retry: false,
  });
}

function SavedSearchRow({ search }: { readonly search: SavedSearch }) {
  const { t, language } = useTexts(collectionTexts);
  const chipText = useChipText();
  const nameOf = useScaleName();
  const { id, name, filter, scale } = search;
  const newFilter = sinceFilter(search);
  const all = useCount(filter, scale);
  const news = useCount(newFilter, scale);
  const see = useSeeSearch();
  const remove = useRemoveSearch();
  const since = { date: dayText(search.seen_at, language), release: search.seen_release ?? MISSING };
  const words = chipsOf(conditionsOfText(filter) ?? []).map(chipText);
  return (
    <li className={classes.row}>
      <Link to={addressOf(filter, scale)} className={classes.name}>
        {name}
      </Link>
      <span className={classes.facts}>
        {words.length === 0 ? t('everything') : words.join(' · ')}
        {scale !== '' && ` · ${nameOf(scale)}`}
      </span>
      <span className={`uc-row ${classes.news}`}>
        {all.data !== undefined && t('materials', { count: all.data, n: formatCount(all.data) })}
        {news.data !== undefined && news.data > 0 && (
          <Link to={addressOf(newFilter, scale)} className={classes.new}>
            {formatCount(news.data)} {t('news', since)}
          </Link>
        )}
        {news.data === 0 && <span className={classes.facts}>{t('noNews', since)}</span>}
        <InlineFailure error={all.error ?? news.error} />
      </span>
      <span className={`uc-row ${classes.actions}`}>
        <Button
          variant="default"
          title={t('seenOf', { name })}
          disabled={see.isPending}
          onClick={() => see.mutate(id)}
        >
          {t('seen')}
        </Button>
        <RemoveButton name={name} isBusy={remove.isPending} onRemove={() => remove.mutate(id)} />
        <InlineFailure error={see.error ?? remove.error} />
      </span>
    </li>
  );
}

const EXAMPLES = [
  ['exampleOxides', 'elements HAS "O" AND band_gap >= 3 AND energy_above_hull <= 0'],
  ['exampleStiff', '[bulk_modulus / density] > 40'],
  ['exampleRare', 'crystal_system = "cubic" AND NOT elements HAS ANY "Pb", "Cd"'],
] as const;

/** Shown instead of an empty list: a message and links to example searches. */
function Nothing({ children }: { readonly children: string }) {
  const { t } = useTexts(collectionTexts);
  const examples = EXAMPLES.map(([name, filter]) => ({ name: t(name), to: addressOf(filter, '') }));
  return (
    <div className={`uc-panel ${classes.nothing}`}>
      <p>{children}</p>
      <Examples label={t('startWith')} examples={examples} />
    </div>
  );
}

export function Page() {
  const { t } = useTexts(collectionTexts);
  const list = useCollections();
  return (
    <div className={`uc-page ${classes.page}`}>
      <header className={classes.header}>
        <h1>{t('title')}</h1>
        <p>{t('lead')}</p>
      </header>
      {list.isError && <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton height={160} />}
      {list.data && (
        <>
          <Section
            id="collections"
            title={t('mine')}
            tools={list.data.collections.length > 0 && <CopyAsCode sent={COLLECTIONS} />}
          >
            {list.data.collections.length === 0 && <Nothing>{t('none')}</Nothing>}
            <ul className="uc-list">
              {list.data.collections.map((collection) => (
                <CollectionRow key={collection.id} collection={collection} />
              ))}
            </ul>
          </Section>
          <Section id="searches" title={t('searches')} lead={list.data.searches.length > 0 && t('newsHint')}>
            {list.data.searches.length === 0 && <Nothing>{t('noSearches')}</Nothing>}
            <ul className="uc-list">
              {list.data.searches.map((search) => (
                <SavedSearchRow key={search.id} search={search} />
              ))}
            </ul>
          </Section>
        </>
      )}
    </div>
  );
}

function CollectionRow({ collection }: { readonly collection: Collection }) {
  const { t, language } = useTexts(collectionTexts);
  const { id, name, note, count, release, share_key: key, updated_at: changed } = collection;
  return (
    <li className={classes.row}>
      <Link to={`/collections/${id}`} className={classes.name}>
        {name}
      </Link>
      <span className={classes.facts}>
        {[
          t('materials', { count, n: formatCount(count) }),
          ...(release === null ? [] : [t('release', { release })]),
          t('changed', { date: dayText(changed, language) }),
          ...(key === null ? [] : [t('shared')]),
        ].join(' · ')}
      </span>
      {note !== '' && <span className={classes.note}>{note}</span>}
    </li>
  );
}
