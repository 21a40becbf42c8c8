/** Below a search that found nothing: searches near it that find something, and how much. */
import { Link } from 'react-router-dom';
import { screenMaterials } from '@unitcell/contract/calls';
import { useQuery } from '@tanstack/react-query';
import { withScale } from '../../components/energy-scale/scale-parameter.ts';
import type { SearchType } from '../../components/search-form/search-input.ts';
import { useTexts } from '../../i18n/texts.ts';
import { formatCount } from '../../lib/format.ts';
import { nearestSearches } from './nearest-searches.ts';
import { screenTexts } from './screen-texts.ts';
import { callApi, expectOutcome } from '../../lib/api-client.ts';
import classes from './screen.module.css';

/** Those of some filters that find something, and how much; undefined until all are counted. */
export function useWhatFinds<Search extends { readonly filter: string }>(
  searches: readonly Search[],
  scale: string | null,
): readonly (Search & { readonly total: number })[] | undefined {
  const { data: totals } = useQuery({
    queryKey: ['matdata', 'totals', scale, searches.map(({ filter }) => filter)],
    queryFn: async ({ signal }) => {
      const counted: number[] = [];
      // One after the other: a person may keep few calculations waiting.
      for (const { filter } of searches) {
        const request = { filter, limit: 0, ...(scale === null ? {} : { scale }) };
        // oxlint-disable-next-line no-await-in-loop
        counted.push(expectOutcome(await callApi(screenMaterials, request, { signal })).total);
      }
      return counted;
    },
    retry: false,
  });
  return (
    totals &&
    searches
      .map((search, place) => ({ ...search, total: totals[place] ?? 0 }))
      .filter(({ total }) => total > 0)
  );
}

interface WayOnProps {
  readonly type: SearchType;
  readonly basis: string;
  /** Named in the address; links carry it on. */
  readonly scale: string | null;
}

export function WayOn({ type, basis, scale }: WayOnProps) {
  const { t } = useTexts(screenTexts);
  const near = useWhatFinds(nearestSearches(type, basis), scale);
  if (!near || near.length === 0) return null;
  return (
    <div className={classes.wayOut}>
      <p>{t('wayOut')}</p>
      <ul>
        {near.map(({ kind, symbols, address, total }) => (
          <li key={address}>
            <Link to={withScale(address, scale)} className={classes.way} preventScrollReset>
              {t(`near_${kind}`)} <b translate="no">{symbols.join(kind === 'system' ? '-' : ' ')}</b>:{' '}
              {t('gives', { count: total, n: formatCount(total) })}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
