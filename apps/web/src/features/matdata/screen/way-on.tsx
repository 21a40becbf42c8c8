/** Below a search that found nothing: searches near it that find something, and how much. */
import { Link } from 'react-router';
import { withScale } from '../../../components/energy-scale/scale-parameter.ts';
import type { SearchType } from '../../../components/search-form/search-input.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { nearestSearches } from './nearest-searches.ts';
import classes from './screen.module.css';
import { screenTexts } from './texts.ts';
import { useWhatFinds } from './use-what-finds.ts';

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
