/** What a submission would be calculated with, in how long, and how many come first: what to know before sending one. */
import type { CalculationService } from '@unitcell/contract';
import { FactTable } from '../../../components/fact-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import { run4uServiceTexts } from '../service-texts.ts';
import { run4uTexts } from '../texts.ts';
import { durationText, engineText } from '../view-model.ts';
import classes from './run4u.module.css';

export function ServiceFacts({ service }: { readonly service: CalculationService }) {
  const { t } = useTexts(run4uServiceTexts);
  const { t: tr } = useTexts(run4uTexts);
  const { engine, is_paused: isPaused, wait_seconds: wait, waiting } = service;
  const begin =
    wait === 0 ? t('atOnce') : wait === null ? t('notKnown') : t('in', { time: durationText(wait, tr) });
  return (
    <div className={classes.service}>
      <FactTable
        title={t('title')}
        facts={[
          { id: 'engine', name: t('engine'), value: engine === null ? t('noEngine') : engineText(service) },
          {
            id: 'method',
            name: t('method'),
            value:
              engine?.toLowerCase() === 'template'
                ? t('methodOfTemplate')
                : t('methodOf', { cutoff: formatNumber(service.cutoff, { decimals: 0 }) }),
          },
          { id: 'steps', name: t('steps'), value: t('stepsOf') },
          {
            id: 'queue',
            name: t('queue'),
            value: isPaused ? t('paused') : t('queueOf', { n: formatCount(waiting), count: waiting, begin }),
          },
          {
            id: 'time',
            name: t('time'),
            value: service.run_seconds
              .map(({ atoms, seconds }) => t('timeOf', { atoms, time: durationText(seconds, tr) }))
              .join(' · '),
          },
        ]}
      />
    </div>
  );
}
