/** /collections: the account's collections and saved searches. */
import type { Collection } from '@unitcell/contract';
import { Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import classes from './collections.module.css';
import { SavedSearchRow } from './saved-search-row.tsx';
import { collectionTexts } from './texts.ts';
import { COLLECTIONS, useCollections } from './use-collections.ts';
import { useDateText } from './use-date-text.ts';

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
          <Section id="collections" title={t('mine')} tools={<CopyAsCode sent={COLLECTIONS} />}>
            {list.data.collections.length === 0 && (
              <p className={classes.none}>
                {t('none')} <Link to="/matdata?filter=">{t('search')}</Link>
              </p>
            )}
            <ul className={classes.list}>
              {list.data.collections.map((collection) => (
                <CollectionRow key={collection.id} collection={collection} />
              ))}
            </ul>
          </Section>
          <Section id="searches" title={t('searches')} lead={t('newsHint')}>
            {list.data.searches.length === 0 && (
              <p className={classes.none}>
                {t('noSearches')} <Link to="/matdata?filter=">{t('search')}</Link>
              </p>
            )}
            <ul className={classes.list}>
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
  const { t } = useTexts(collectionTexts);
  const dateText = useDateText();
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
          t('changed', { date: dateText(changed) }),
          ...(key === null ? [] : [t('shared')]),
        ].join(' · ')}
      </span>
      {note !== '' && <span className={classes.note}>{note}</span>}
    </li>
  );
}
