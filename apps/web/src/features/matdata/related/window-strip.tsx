/** The electrochemical windows of a material, one bar an ion on one scale of volts; each opens its page. */
import type { RelatedMaterials } from '@unitcell/contract';
import { Link } from 'react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import classes from './related.module.css';
import { relatedTexts } from './texts.ts';

interface WindowStripProps {
  readonly structId: number;
  readonly windows: RelatedMaterials['windows'];
  readonly scale: string | null;
}

/** V: the axis ends at a whole volt beyond every onset, and not before. */
const LEAST_TOP = 5;
const volts = (value: number): string => formatNumber(value, { decimals: 2 });

export function WindowStrip({ structId, windows, scale }: WindowStripProps) {
  const { t } = useTexts(relatedTexts);
  if (windows.length === 0) return <p className={classes.none}>{t('noWindows')}</p>;
  const onsets = windows.flatMap(({ reduction_onset: low, oxidation_onset: high }) => [low, high ?? low]);
  const top = Math.max(LEAST_TOP, Math.ceil(Math.max(...onsets) + 0.2));
  const bottom = Math.min(0, Math.floor(Math.min(...onsets)));
  const share = (value: number): string => `${(100 * (value - bottom)) / (top - bottom)}%`;
  const ticks = Array.from({ length: top - bottom + 1 }, (_, i) => bottom + i);
  return (
    <section className={classes.windows} aria-labelledby="related-windows">
      <h3 id="related-windows" className={classes.listTitle}>
        {t('windows')}
      </h3>
      <p className={classes.lead}>{t('windowsLead', { scale: scale ?? '' })}</p>
      <ul className={classes.bars}>
        {windows.map(({ working_ion: ion, reduction_onset: low, oxidation_onset: high }) => {
          const end = high ?? top;
          const label =
            high === null
              ? t('windowOpen', { ion, low: volts(low) })
              : t('windowOf', { ion, low: volts(low), high: volts(high) });
          return (
            <li key={ion}>
              <Link to={`/Ec_windowDetail/${structId}/${ion}`} className={classes.window} title={label}>
                <span className={classes.ion}>{ion}</span>
                <span className={classes.track}>
                  <span
                    className={classes.bar}
                    data-open={high === null || undefined}
                    style={{
                      insetInlineStart: share(low),
                      inlineSize: `max(2px, calc(${share(end)} - ${share(low)}))`,
                    }}
                  />
                </span>
                <span className={classes.onsets}>
                  {volts(low)} – {high === null ? '∞' : volts(high)}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
      <div className={classes.axis} aria-hidden="true">
        <span />
        <span className={classes.ticks}>
          {ticks.map((tick) => (
            <span key={tick} style={{ insetInlineStart: share(tick) }}>
              {formatNumber(tick, { decimals: 0 })}
            </span>
          ))}
        </span>
        <span>V</span>
      </div>
    </section>
  );
}
