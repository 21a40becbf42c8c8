/** What the network predicts, beside what was calculated and measured; marked where they disagree. */
import {
  type MaterialDetail,
  PREDICTED_PROPERTIES,
  PREDICTED_SCALE,
  type PredictedProperty,
} from '@unitcell/contract';
import { Link } from 'react-router';
import { Notice } from '../../../components/notice.tsx';
import { ScrollFrame } from '../../../components/scroll-frame.tsx';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { predictedTexts } from './predicted-texts.ts';
import table from './value-table.module.css';

const title = { en: 'Predicted', zh: '预测值' };

const UNITS: Readonly<Record<PredictedProperty, { readonly unit: string; readonly decimals: number }>> = {
  formation_energy_per_atom: { unit: 'eV/atom', decimals: 3 },
  band_gap: { unit: 'eV', decimals: 2 },
  bulk_modulus: { unit: 'GPa', decimals: 0 },
  shear_modulus: { unit: 'GPa', decimals: 0 },
};

/** The measured value of a property; null where none is known. */
function measuredOf(
  { band_gaps, energy_scales }: MaterialDetail,
  property: PredictedProperty,
): number | null {
  if (property === 'band_gap') return band_gaps.find(({ of }) => of === 'measured')?.value ?? null;
  if (property !== 'formation_energy_per_atom') return null;
  return (
    energy_scales.find(({ functional }) => functional.startsWith('experiment'))?.formation_energy_per_atom ??
    null
  );
}

function PredictedSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(predictedTexts);
  const { predicted } = material;
  if (predicted === null) return null;
  const { familiarity, disagreements } = predicted;
  const isOutside = (property: PredictedProperty): boolean => disagreements.includes(property);
  return (
    <Section id="predicted" title={title[language]} lead={t('lead')}>
      {familiarity !== 'near' && (
        <Notice kind={familiarity === 'outside' ? 'problem' : 'warning'}>
          {t(familiarity === 'outside' ? 'outsideKnown' : 'edge')}
        </Notice>
      )}
      <ScrollFrame>
        <div className={table.scroll}>
          <table className={table.table} aria-label={t('tableOf')}>
            <thead>
              <tr>
                {(['property', 'predicted', 'interval', 'calculated', 'measured'] as const).map((heading) => (
                  <th key={heading} scope="col">
                    {t(heading)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {PREDICTED_PROPERTIES.map((property) => {
                const { unit, decimals } = UNITS[property];
                const { value, low, high } = predicted[property];
                const text = (number: number | null): string => formatNumber(number, { decimals });
                return (
                  <tr key={property} data-outside={isOutside(property) || undefined}>
                    <th scope="row">
                      {t(property)} <span className={table.unit}>({unit})</span>
                    </th>
                    <td className={table.predicted}>{text(value)}</td>
                    <td>{t('to', { low: text(low), high: text(high) })}</td>
                    <td>
                      {text(predicted.calculated[property])}
                      {isOutside(property) && <span className={table.mark}>{t('outside')}</span>}
                    </td>
                    <td>{text(measuredOf(material, property))}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      </ScrollFrame>
      <p className={table.rest}>
        {t('insulator', { percent: formatNumber(100 * predicted.insulator_probability, { decimals: 0 }) })}.{' '}
        {familiarity === 'near' && t('near')}{' '}
        {t('origin', { model: predicted.model, scale: PREDICTED_SCALE })}{' '}
        <Link to={`/predict?id=${material.struct_id}`}>{t('more')}</Link>
      </p>
    </Section>
  );
}

export const predictedSection: MaterialSection = {
  id: 'predicted',
  title,
  isPresent: ({ predicted }) => predicted !== null,
  Component: PredictedSection,
};
