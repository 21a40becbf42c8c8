/** Before a structure is submitted: what is predicted of it, and how long its calculation may take. */
import { type CallAnswer, type PredictedInterval, run4uExpect } from '@unitcell/contract';
import type { StructureJson } from '@unitcell/material';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { formatNumber } from '../../../lib/format.ts';
import { run4uTexts } from '../texts.ts';
import { aboutText, type T } from '../view-model.ts';
import classes from './run4u.module.css';

type Expected = CallAnswer<typeof run4uExpect>;

const half = ({ value, high }: PredictedInterval, decimals: number) => ({
  value: formatNumber(value, { decimals }),
  half: formatNumber(high - value, { decimals }),
});

function predictedTexts({ prediction }: Expected, t: T): readonly string[] {
  if (prediction === null) return [];
  const { hull } = prediction;
  const energy = hull && formatNumber(Math.abs(1000 * hull.energy_above_hull), { decimals: 0 });
  return [
    t('expectedEnergy', half(prediction.formation_energy_per_atom, 2)),
    ...(hull && energy !== null
      ? [
          hull.energy_above_hull >= 0
            ? t('expectedAbove', {
                energy,
                percent: formatNumber(100 * hull.probability_within_50_mev, { decimals: 0 }),
              })
            : t('expectedBelow', { energy }),
        ]
      : []),
    t('expectedGap', half(prediction.band_gap, 2)),
  ];
}

export function Expectation({ structure }: { readonly structure: StructureJson }) {
  const { t, language } = useTexts(run4uTexts);
  const { data } = useQuery({
    queryKey: ['run4u', 'expect', structure, language],
    retry: false,
    queryFn: async ({ signal }): Promise<Expected> =>
      expectOutcome(await callApi(run4uExpect, { structure }, { signal })),
  });
  // It is a help: what is not known is left out, and nothing waits for it.
  if (!data) return null;
  const time =
    data.seconds === null ? t('expectedNoTime') : t('expectedTime', { time: aboutText(data.seconds, t) });
  return (
    <section className={classes.expected} aria-label={t('expected')}>
      <span className="uc-caption">{t('expected')}</span>
      <p className={classes.expectedLine}>{[...predictedTexts(data, t), time].join('; ')}</p>
      {data.prediction?.familiarity === 'outside' && <p className={classes.hint}>{t('expectedOutside')}</p>}
      {data.prediction && <p className={classes.hint}>{t('expectedBy', { model: data.prediction.model })}</p>}
      {data.prediction_message !== '' && <p className={classes.hint}>{data.prediction_message}</p>}
    </section>
  );
}
