/** Predicted values beside calculated and measured ones; disagreements are marked. */
import type { MaterialDetail, SectionSource } from '@unitcell/contract/matdata';
import type { PredictedProperty } from '@unitcell/contract/prediction';
import { PREDICTED_PROPERTIES, PREDICTED_SCALE } from '@unitcell/contract/prediction/rules';
import { fields, type NumberName } from '@unitcell/material';
import { Link } from 'react-router-dom';
import { Notice } from '../../../components/notice.tsx';
import type { MethodId } from '../../../components/provenance/methods.ts';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { Section } from '../../../components/section.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { isGapDoubtful, isDefinition } from '../../../lib/predicted-interval.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../material.module.css';
import { sourceOf } from '../sources-view-model.ts';
import { ValuesTable } from './values-table.tsx';

const predictedTexts = defineTexts('material-predicted', {
  lead: [
    'Graph-network prediction with 90 % interval: neither measured nor calculated.',
    '图神经网络预测值及 90 % 预测区间，既非实测，也非计算所得。',
  ],
  tableOf: ['Predicted, calculated and measured values', '预测值、计算值与实测值'],
  property: ['Property', '性质'],
  predicted: ['Predicted', '预测值'],
  interval: ['90 % interval', '90 % 区间'],
  calculated: ['Calculated', '计算值'],
  measured: ['Measured', '实测值'],
  formation_energy_per_atom: ['Formation energy', '形成能'],
  band_gap: ['Band gap', '带隙'],
  bulk_modulus: ['Bulk modulus', '体积模量'],
  shear_modulus: ['Shear modulus', '剪切模量'],
  to: ['{{low}} to {{high}}', '{{low}} 至 {{high}}'],
  outside: [
    'The calculated value is outside the interval, as one in ten is: check both before you use either.',
    '计算值落在区间之外：平均十个中有一个如此；采信任一数值前请先核对。',
  ],
  noInterval: ['not valid', '不成立'],
  byDefinition: ['0 by definition; not predicted for elements', '按定义为 0；不预测单质'],
  doubtedGap: [
    'Not valid: the model is inconsistent about this gap. Do not trust this value.',
    '不成立：模型对此带隙的判断自相矛盾，请勿采信此值。',
  ],
  insulator: ['Probability of a PBE gap: {{percent}} %.', 'PBE 下有带隙的概率：{{percent}} %。'],
  near: ['Within the model’s domain.', '位于模型适用域内。'],
  edge: ['At the edge of the model’s domain.', '位于模型适用域边缘。'],
  outsideKnown: [
    'Outside the model’s domain: do not trust these values.',
    '超出模型适用域：请勿采信这些数值。',
  ],
  origin: [
    'Model {{model}}. Energies on the scale {{scale}}; gaps are PBE gaps, smaller than measured ones.',
    '模型 {{model}}。能量基准为 {{scale}}；带隙为 PBE 值，小于实测值。',
  ],
  more: ['Evidence and distance to the hull', '查看依据及与凸包的距离'],
});

const title = { en: 'Predicted', zh: '预测值' };

const KNOWN_AS: Readonly<
  Record<PredictedProperty, { readonly field: NumberName; readonly decimals: number }>
> = {
  formation_energy_per_atom: { field: 'formationEnergyPerAtom', decimals: 3 },
  band_gap: { field: 'bandGap', decimals: 2 },
  bulk_modulus: { field: 'bulkModulus', decimals: 0 },
  shear_modulus: { field: 'shearModulus', decimals: 0 },
};

interface Known {
  readonly value: number | null;
  readonly source?: SectionSource | undefined;
  /** Method of this value, if it differs from that of the calculated value. */
  readonly method?: MethodId;
}

const calculatedOf = (material: MaterialDetail, property: PredictedProperty): Known => ({
  value: material.predicted?.calculated[property] ?? null,
  source:
    property === 'formation_energy_per_atom'
      ? sourceOf(material, 'energy', PREDICTED_SCALE)
      : property === 'band_gap'
        ? sourceOf(material, 'band_gap', 'listed')
        : sourceOf(material, 'elastic'),
});

/**
 * The measured value of a property. Commonly quoted values that were never verified do not count: their gap
 * is not `measured`, and their tensor has no kind.
 */
function measuredOf(material: MaterialDetail, property: PredictedProperty): Known {
  const { band_gaps, energy_scales, elastic_dict } = material;
  if (property === 'band_gap')
    return {
      value: band_gaps.find(({ of }) => of === 'measured')?.value ?? null,
      source: sourceOf(material, 'band_gap', 'measured'),
    };
  if (property === 'formation_energy_per_atom') {
    const scale = energy_scales.find(({ functional }) => functional.startsWith('experiment'));
    return {
      value: scale?.formation_energy_per_atom ?? null,
      source: scale && sourceOf(material, 'energy', scale.functional),
      method: 'enthalpy',
    };
  }
  const source = sourceOf(material, 'elastic');
  if (source?.kinds.includes('measured') !== true) return { value: null };
  const { k_vrh: bulk = null, g_vrh: shear = null } = elastic_dict.elastic_property ?? {};
  return { value: property === 'bulk_modulus' ? bulk : shear, source };
}

function PredictedSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(predictedTexts);
  const { predicted } = material;
  if (predicted === null) return null;
  const { familiarity, disagreements } = predicted;
  /** The reason why the value has no valid interval; undefined if it has one. */
  const doubtOf = (property: PredictedProperty): string | undefined => {
    if (property === 'formation_energy_per_atom' && isDefinition(predicted[property]))
      return t('byDefinition');
    if (familiarity === 'outside') return t('noInterval');
    return property === 'band_gap' && isGapDoubtful(predicted) ? t('doubtedGap') : undefined;
  };
  const isOutside = (property: PredictedProperty): boolean =>
    disagreements.includes(property) && doubtOf(property) === undefined;
  return (
    <Section id="predicted" title={title[language]} lead={t('lead')}>
      {familiarity !== 'near' && (
        <Notice kind={familiarity === 'outside' ? 'problem' : 'warning'}>
          {t(familiarity === 'outside' ? 'outsideKnown' : 'edge')}
        </Notice>
      )}
      <ValuesTable
        label={t('tableOf')}
        headings={(['property', 'predicted', 'interval', 'calculated', 'measured'] as const).map((heading) =>
          t(heading),
        )}
      >
        {PREDICTED_PROPERTIES.map((property) => {
          const { field, decimals } = KNOWN_AS[property];
          const { unit, method: ofField } = fields[field];
          const { value, low, high } = predicted[property];
          const text = (number: number | null): string => formatNumber(number, { decimals });
          const made = (shown: string) => (
            <SourcedValue name={`${t(property)}, ${t('predicted')}`} method="prediction" isMadeHere>
              {shown}
            </SourcedValue>
          );
          const known = (what: 'calculated' | 'measured', { value: found, source, method }: Known) => (
            <SourcedValue
              name={`${t(property)}, ${t(what)}`}
              method={method ?? ofField}
              source={found === null ? undefined : source}
            >
              {text(found)}
            </SourcedValue>
          );
          return (
            <tr key={property} data-outside={isOutside(property) || undefined}>
              <th scope="row">
                {t(property)} <span className={classes.valueTableUnit}>({unit})</span>
              </th>
              <td className={classes.predicted}>{made(text(value))}</td>
              <td>
                {doubtOf(property) ? (
                  <span className={classes.mark}>{doubtOf(property)}</span>
                ) : (
                  made(t('to', { low: text(low), high: text(high) }))
                )}
              </td>
              <td>
                {known('calculated', calculatedOf(material, property))}
                {isOutside(property) && <span className={classes.mark}>{t('outside')}</span>}
              </td>
              <td>{known('measured', measuredOf(material, property))}</td>
            </tr>
          );
        })}
      </ValuesTable>
      <p className={classes.rest}>
        <SourcedValue name={t('band_gap')} method="prediction" isMadeHere>
          {t('insulator', { percent: formatNumber(100 * predicted.insulator_probability, { decimals: 0 }) })}
        </SourcedValue>{' '}
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
