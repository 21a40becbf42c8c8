/** Predictions for a crystal as given and after its relaxation, side by side. */
import { Button } from '@mantine/core';
import type { PredictionResult } from '@unitcell/contract/prediction';
import type { PredictedProperty } from '@unitcell/contract/prediction/rules';
import { Notice } from '../../../components/notice.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { ScrollFrame } from '../../../components/scroll-frame.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { downloadText } from '../../../lib/download.ts';
import { formatNumber, MISSING } from '../../../lib/format.ts';
import { hasInterval } from '../../../lib/predicted-interval.ts';
import { predictionTexts } from '../texts.ts';
import classes from './prediction.module.css';

type Relaxed = NonNullable<PredictionResult['relaxed']>;
type Of = (one: PredictionResult | Relaxed) => string;

const withInterval = (
  one: PredictionResult | Relaxed,
  property: PredictedProperty,
  decimals: number,
): string => {
  const { value, low, high } = one[property];
  const text = (x: number): string => formatNumber(x, { decimals });
  return text(value) + (hasInterval(one, property) ? ` (${text(low)} – ${text(high)})` : '');
};
const signed = (value: number, decimals: number): string =>
  `${value > 0 ? '+' : ''}${formatNumber(value, { decimals })}`;

export function RelaxedComparison({ result }: { readonly result: PredictionResult }) {
  const { t } = useTexts(predictionTexts);
  const { relaxed, relaxed_message: reason, formula } = result;
  if (relaxed === null)
    return reason === '' ? null : <Notice kind="warning">{t('notRelaxed', { reason })}</Notice>;
  const predicted: readonly (readonly [name: string, unit: string, of: Of])[] = [
    [t('energy'), 'eV/atom', (one) => withInterval(one, 'formation_energy_per_atom', 3)],
    [
      t('aboveHull'),
      'eV/atom',
      ({ hull, familiarity }) => formatNumber(familiarity === 'outside' ? null : hull?.energy_above_hull),
    ],
    [t('gap'), 'eV', (one) => withInterval(one, 'band_gap', 2)],
    [t('bulk'), 'GPa', (one) => withInterval(one, 'bulk_modulus', 0)],
    [t('shear'), 'GPa', (one) => withInterval(one, 'shear_modulus', 0)],
  ];
  const byPotential = (name: string, text: string) => (
    <SourcedValue name={name} method="potential" isMadeHere>
      {text}
    </SourcedValue>
  );
  return (
    <section className={classes.section} aria-label={t('relaxed')}>
      <h3>{t('relaxed')}</h3>
      <ScrollFrame>
        <div className={classes.scroll}>
          <table className="uc-table" aria-label={t('relaxed')}>
            <thead>
              <tr>
                <th scope="col">{t('property')}</th>
                <th scope="col">{t('asGiven')}</th>
                <th scope="col">{t('afterRelaxation')}</th>
              </tr>
            </thead>
            <tbody>
              {predicted.map(([name, unit, of]) => (
                <tr key={name}>
                  <th scope="row">
                    {name} ({unit})
                  </th>
                  {[result, relaxed].map((one) => (
                    <td key={one === relaxed ? 'relaxed' : 'given'}>
                      <SourcedValue name={name} method="prediction" isMadeHere>
                        {of(one)}
                      </SourcedValue>
                    </td>
                  ))}
                </tr>
              ))}
              <tr>
                <th scope="row">{t('potentialEnergy')} (eV/atom)</th>
                <td>{byPotential(t('potentialEnergy'), formatNumber(relaxed.energy_before))}</td>
                <td>{byPotential(t('potentialEnergy'), formatNumber(relaxed.energy_after))}</td>
              </tr>
              <tr>
                <th scope="row">{t('volumeChange')} (%)</th>
                <td>{MISSING}</td>
                <td>{byPotential(t('volumeChange'), signed(relaxed.volume_change, 1))}</td>
              </tr>
            </tbody>
          </table>
        </div>
      </ScrollFrame>
      <p className={classes.note}>
        {t('relaxedNote', { potential: relaxed.potential, steps: relaxed.steps })}
      </p>
      <Button size="xs" variant="default" onClick={() => downloadText(`${formula}-relaxed.cif`, relaxed.cif)}>
        {t('relaxedCif')}
      </Button>
    </section>
  );
}
