/**
 * Elasticity and vibrations predicted by the interatomic potential, beside stored values, and warnings about the stored
 * structure.
 */
import { IMAGINARY } from '@unitcell/potential';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { run4uSubmit } from '@unitcell/contract/calls';
import type { MaterialDetail } from '@unitcell/contract/matdata';
import type { SubmitOutcome } from '@unitcell/contract/run4u';
import { predictedFieldsBy } from '@unitcell/material';
import type { Data } from 'plotly.js';
import { useCallback } from 'react';
import { InlineFailure } from '../../../components/failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { SentNotice } from '../../../components/run4u/sent-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { callApi } from '../../../lib/api-client.ts';
import { formatNumber } from '../../../lib/format.ts';
import { axisStyle, type ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../material.module.css';
import { isQuotedOnly, sourceOf } from '../sources-view-model.ts';
import { TensorMatrix } from './tensor-matrix.tsx';
import { VOIGT_PAIRS } from './tensor-view-model.ts';
import { ValuesTable } from './values-table.tsx';

const potentialTexts = defineTexts('material-potential', {
  lead: [
    'Predicted by {{model}}, a machine-learned potential, for its own relaxed cell: neither measured nor calculated from first principles.',
    '由机器学习势 {{model}} 对其自身弛豫后的晶胞预测，既非实测，也非第一性原理计算。',
  ],
  tableOf: ['Values predicted by the potential, and stored ones', '势函数的预测值与所存数值'],
  property: ['Property', '性质'],
  predicted: ['Predicted', '预测值'],
  calculated: ['Calculated', '计算值'],
  measured: ['Measured', '实测值'],
  volume_change: ['Volume change by relaxation', '弛豫引起的体积变化'],
  max_force: ['Largest force, stored structure', '所存结构上的最大受力'],
  bulk_modulus: ['Bulk modulus', '体积模量'],
  shear_modulus: ['Shear modulus', '剪切模量'],
  debye_temperature: ['Debye temperature', '德拜温度'],
  lowest_frequency: ['Lowest phonon frequency', '最低声子频率'],
  heat_capacity: ['Heat capacity, per mole of atoms, 300 K', '热容（每摩尔原子，300 K）'],
  disagrees: [
    'The potential disagrees with the stored structure: it finds a force of {{force}} eV/Å on an atom, which should be near zero at rest. Either may be wrong; compare with the source.',
    '势函数与所存结构不一致：某原子受力达 {{force}} eV/Å，而平衡结构中应接近零。两者都可能有误，请与来源核对。',
  ],
  imaginary: [
    'Imaginary phonons: by the potential, a distortion lowers the energy. Harmonic heat capacity is therefore not given.',
    '存在虚频声子：按该势函数，某种畸变可降低能量，因此不给出简谐热容。',
  ],
  'volume-change': [
    'No further values: the cell changed its volume by more than 30 % when relaxed.',
    '没有更多数值：弛豫时晶胞体积变化超过 30 %。',
  ],
  'not-converged': ['Values are missing: a relaxation did not converge.', '部分数值缺失：弛豫未收敛。'],
  'large-force': [
    'No further values: a force exceeds 50 eV/Å, which the potential was not trained for.',
    '没有更多数值：有原子受力超过 50 eV/Å，超出势函数的训练范围。',
  ],
  'mechanically-unstable': [
    'No elastic values: by the potential, a strain lowers the energy of the relaxed crystal.',
    '没有弹性数值：按该势函数，某种应变可降低弛豫后晶体的能量。',
  ],
  otherRefusal: [
    'Values are missing: the potential could not calculate them ({{code}}).',
    '部分数值缺失：势函数无法计算（{{code}}）。',
  ],
  softShear: [
    'Shear constants of compounds are typically a quarter too low, those of metals unreliable.',
    '化合物的剪切弹性常数通常偏低四分之一，金属的不可靠。',
  ],
  softPhonons: [
    'Frequencies are typically 10 to 30 % too low; no LO–TO splitting.',
    '声子频率通常偏低 10 至 30 %；不含 LO–TO 劈裂。',
  ],
  noDispersion: [
    'No dispersion forces: layered, molecular and rare-gas crystals expand.',
    '不含色散作用：层状晶体、分子晶体和稀有气体晶体会膨胀。',
  ],
  tensor: ['Predicted elastic tensor', '预测的弹性张量'],
  density: ['Predicted phonon density of states', '预测的声子态密度'],
  densitySummary: [
    'Phonon density of states from {{low}} to {{high}} THz, supercell {{supercell}}.',
    '声子态密度，{{low}} 至 {{high}} THz，超胞 {{supercell}}。',
  ],
  densityNote: [
    'Displacements in a supercell of {{supercell}} primitive cells.',
    '位移计算所用超胞为 {{supercell}} 个原胞。',
  ],
  modes: ['Animate the modes in Run4U', '在 Run4U 中播放振动模式'],
  modesHint: [
    'Predicts the phonons of this crystal again, with bands and modes: seconds to minutes, one of the predictions of the day.',
    '重新预测该晶体的声子，给出声子谱与振动模式：需数秒至数分钟，计入当日预测额度。',
  ],
  frequencyAxis: ['Frequency (THz)', '频率 (THz)'],
  densityAxis: ['DOS (THz⁻¹ cell⁻¹)', '态密度 (THz⁻¹ 原胞⁻¹)'],
});

const title = { en: 'Elasticity and vibrations, predicted', zh: '弹性与振动（预测）' };

/** Reasons that have a specific text. */
const EXPLAINED = ['volume-change', 'not-converged', 'large-force', 'mechanically-unstable'] as const;
/** eV/Å. For relaxed structures of databases the potential gives smaller forces. */
const LARGE_FORCE = 1;
const DECIMALS = {
  volume_change: 1,
  bulk_modulus: 0,
  shear_modulus: 0,
  debye_temperature: 0,
  lowest_frequency: 2,
  heat_capacity: 1,
  max_force: 2,
} as const;
type Property = keyof typeof DECIMALS;
const PROPERTIES = Object.keys(DECIMALS) as Property[];
const UNITS = new Map<string, string>(
  predictedFieldsBy('potential').map(({ column, unit }) => [column, unit]),
);

/** The values of the stored elastic tensor and their source. Commonly quoted values without a source are ignored. */
function storedValues(material: MaterialDetail) {
  const stored = material.elastic_dict.elastic_property;
  const source = sourceOf(material, 'elastic');
  if (!stored || !source || isQuotedOnly(source)) return null;
  const { k_vrh: bulk_modulus, g_vrh: shear_modulus, debye_temperature } = stored;
  const values: Partial<Record<Property, number | null>> = { bulk_modulus, shear_modulus, debye_temperature };
  return { values, source, kind: source.kinds.includes('measured') ? 'measured' : 'calculated' } as const;
}

type Phonons = NonNullable<NonNullable<MaterialDetail['potential']>['phonons']>;

function DensityPlot({ phonons, name }: { readonly phonons: Phonons; readonly name: string }) {
  const { t } = useTexts(potentialTexts);
  const { frequencies, density } = phonons;
  const supercell = phonons.supercell.join(' × ');
  const figure = useCallback(
    (colors: ChartColors) => {
      const [prussian = colors.ink] = colors.series;
      const line: Partial<Data> = {
        type: 'scatter',
        mode: 'lines',
        x: [...frequencies],
        y: [...density],
        line: { color: prussian, width: 1.5 },
        fill: 'tozeroy',
        fillcolor: `${prussian}22`,
        hovertemplate: '%{x:.2f} THz: %{y:.2f}<extra></extra>',
      };
      return {
        data: [line],
        layout: {
          showlegend: false,
          margin: { l: 58, r: 14, t: 8, b: 46 },
          xaxis: { ...axisStyle(colors), title: { text: t('frequencyAxis') }, nticks: 7 },
          yaxis: {
            ...axisStyle(colors),
            title: { text: t('densityAxis') },
            nticks: 5,
            rangemode: 'tozero' as const,
          },
        },
      };
    },
    [frequencies, density, t],
  );
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>{t('density')}</figcaption>
      <Plot
        name={name}
        figure={figure}
        height={260}
        summary={t('densitySummary', {
          low: formatNumber(frequencies[0], { decimals: 1 }),
          high: formatNumber(frequencies.at(-1), { decimals: 1 }),
          supercell,
        })}
        table={() => ({
          header: ['frequency_thz', 'states_per_thz_and_cell'],
          rows: frequencies.map((frequency, k) => [frequency, density[k] ?? 0]),
        })}
      />
      <p className={classes.note}>{t('densityNote', { supercell })}</p>
    </figure>
  );
}

/** Submits a prediction that shows the modes. The catalogue cannot, because it keeps no force constants. */
function ModesOfPrediction({ material }: MaterialSectionProps) {
  const { t } = useTexts(potentialTexts);
  const submit = useMutation({
    mutationFn: (): Promise<SubmitOutcome> =>
      callApi(run4uSubmit, {
        submit: true,
        structure: material.structures.primitive,
        method: 'prediction',
        tasks: ['phonons'],
      }),
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={submit.isPending}
        disabled={submit.isSuccess}
        onClick={() => submit.mutate()}
      >
        {t('modes')}
      </Button>
      <p className={classes.note}>{t('modesHint')}</p>
      <InlineFailure error={submit.error} />
      {submit.data && <SentNotice answers={[submit.data]} />}
    </>
  );
}

function PotentialSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(potentialTexts);
  const { potential } = material;
  if (potential === null) return null;
  const { refusal, phonons, elastic_tensor: tensor, lowest_frequency: lowest, max_force: force } = potential;
  const stored = storedValues(material);
  const decimalsOf = (property: Property) => ({ decimals: DECIMALS[property] });
  const explained = EXPLAINED.find((code) => code === refusal);
  return (
    <Section id="potential" title={title[language]} lead={t('lead', { model: potential.model })}>
      {force > LARGE_FORCE && (
        <Notice kind="warning">
          {t('disagrees', { force: formatNumber(force, decimalsOf('max_force')) })}
        </Notice>
      )}
      {lowest !== null && lowest < IMAGINARY && <Notice kind="warning">{t('imaginary')}</Notice>}
      {refusal !== '' && (
        <Notice kind="note">{explained ? t(explained) : t('otherRefusal', { code: refusal })}</Notice>
      )}
      <ValuesTable
        label={t('tableOf')}
        headings={(['property', 'predicted', ...(stored ? [stored.kind] : [])] as const).map((heading) =>
          t(heading),
        )}
      >
        {PROPERTIES.map((property) => {
          const value = potential[property];
          const known = stored?.values[property] ?? null;
          return (
            <tr key={property}>
              <th scope="row">
                {t(property)} <span className={classes.valueTableUnit}>({UNITS.get(property)})</span>
              </th>
              <td className={classes.predicted}>
                <SourcedValue
                  name={`${t(property)}, ${t('predicted')}`}
                  method="potential"
                  isMadeHere={value !== null}
                >
                  {formatNumber(value, decimalsOf(property))}
                </SourcedValue>
              </td>
              {stored && (
                <td>
                  <SourcedValue
                    name={t(property)}
                    method="elastic"
                    source={known === null ? undefined : stored.source}
                  >
                    {formatNumber(known, decimalsOf(property))}
                  </SourcedValue>
                </td>
              )}
            </tr>
          );
        })}
      </ValuesTable>
      <p className={classes.rest}>
        {[
          ...(tensor ? [t('softShear')] : []),
          ...(phonons ? [t('softPhonons')] : []),
          t('noDispersion'),
        ].join(language === 'zh' ? '' : ' ')}
      </p>
      <div className={`${classes.wide} ${classes.below}`}>
        {tensor && (
          <TensorMatrix
            method="potential"
            isMadeHere
            symbol="C"
            title={t('tensor')}
            unit="GPa"
            rows={tensor}
            decimals={1}
            zeroBelow={0.05}
            columns={VOIGT_PAIRS}
            rowNames={VOIGT_PAIRS}
          />
        )}
        {phonons && (
          <div>
            <DensityPlot phonons={phonons} name={`${material.struct_id}-phonon-density`} />
            <ModesOfPrediction material={material} />
          </div>
        )}
      </div>
    </Section>
  );
}

export const potentialSection: MaterialSection = {
  id: 'potential',
  title,
  isPresent: ({ potential }) => potential !== null,
  Component: PotentialSection,
};
