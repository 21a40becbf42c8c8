/** Lists where a scale contradicts experiment, one sentence each with its source. */
import {
  IconAlertTriangle,
  IconFlask,
  IconPlusMinus,
  IconShieldCheck,
  IconShieldQuestion,
} from '@tabler/icons-react';
import type { MaterialDetail } from '@unitcell/contract/matdata';
import type { PhaseDiagramData, ScaleFailure } from '@unitcell/contract/phase-diagram';
import { defineTexts, joined, useTexts } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import { CompletenessNote } from '../completeness/completeness-note.tsx';
import { withScale } from '../energy-scale/energy-scale.tsx';
import { formulaText } from '../formula.tsx';
import { Notice } from '../notice.tsx';
import { NumberText } from '../number-text.tsx';
import classes from '../provenance/provenance.module.css';
import { SourcedValue } from '../provenance/sourced-value.tsx';
import { statementIn } from '../provenance/statement.ts';

const scaleAccuracyTexts = defineTexts('scale-accuracy', {
  badge: ['Trust', '可信度'],
  badgeError: ['± {{error}} eV/atom', '± {{error}} eV/atom'],
  complete: ['system complete', '体系完备'],
  incomplete: ['system incomplete', '体系不完备'],
  'not-known': ['completeness unknown', '完备性未知'],
  measuredName: ['Enthalpy of formation', '生成焓'],
  measured: [
    'Measured formation enthalpy (298 K) {{energy}} eV/atom',
    '实测生成焓（298 K）{{energy}} eV/atom',
  ],
  computed_below: ['; the calculated value is {{difference}} lower', '；计算值低 {{difference}}'],
  computed_above: ['; the calculated value is {{difference}} higher', '；计算值高 {{difference}}'],
  errorOf: ['Typical error for {{kind}}: {{error}} eV/atom', '{{kind}}的典型误差：{{error}} eV/atom'],
  compared_one: '({{n}} compound).',
  compared_other: ['({{n}} compounds).', '（比较 {{n}} 种）。'],
  bias_strong: [
    'On average {{mean}} eV/atom too low: this functional overbinds these compounds.',
    '平均偏低 {{mean}} eV/atom：此能量基准使这类化合物过于稳定。',
  ],
  bias_weak: [
    'On average {{mean}} eV/atom too high: this functional underbinds these compounds.',
    '平均偏高 {{mean}} eV/atom：此能量基准使这类化合物不够稳定。',
  ],
  howMade: [
    'Mean absolute deviation of the calculated formation energy from the measured enthalpy of formation at 298 K, over the compounds of this database that have both. Much of it cancels in reactions between similar compounds.',
    '对本数据库中两者兼有的化合物，取计算形成能与 298 K 实测生成焓之差的平均绝对值。同类化合物之间的反应中，大部分误差相互抵消。',
  ],
  trust: ['Accuracy against experiment', '与实测值的偏差'],
  kind: ['Compounds', '化合物'],
  deviation: ['Mean absolute deviation (eV/atom)', '平均绝对偏差 (eV/atom)'],
  mean: ['Mean deviation (eV/atom)', '平均偏差 (eV/atom)'],
  count: ['Compared', '比较数'],
  hydroxide: ['hydroxides and hydrates', '氢氧化物和水合物'],
  oxyhalide: ['oxyhalides', '卤氧化物'],
  oxosalt: ['oxosalts (carbonates, phosphates, sulfates …)', '含氧酸盐（碳酸盐、磷酸盐、硫酸盐等）'],
  oxide: ['oxides', '氧化物'],
  halide: ['halides', '卤化物'],
  chalcogenide: ['sulfides, selenides and tellurides', '硫化物、硒化物和碲化物'],
  nitride: ['nitrides', '氮化物'],
  pnictide: ['phosphides, arsenides and antimonides', '磷化物、砷化物和锑化物'],
  carbide: ['carbides', '碳化物'],
  boride: ['borides', '硼化物'],
  silicide: ['silicides and germanides', '硅化物和锗化物'],
  hydride: ['hydrides', '氢化物'],
  intermetallic: ['intermetallics', '金属间化合物'],
  all: ['all compounds', '各类化合物合计'],
});

/** Formats formulas in running text: `TiO2` → TiO₂. */
const withSubscripts = (text: string): string =>
  text.replace(/\b(?:[A-Z][a-z]?\d*){2,}\b/g, (word) => formulaText(word));

interface ScaleFailuresProps {
  readonly failures: readonly ScaleFailure[];
  /** The material of this page, which needs no link. */
  readonly ownId?: number;
}

function ScaleFailures({ failures, ownId }: ScaleFailuresProps) {
  const { language } = useTexts(scaleAccuracyTexts);
  if (failures.length === 0) return null;
  return (
    <Notice kind="warning">
      {failures.map(({ struct_id: id, functional, text, source }) => (
        <p key={text.en} className={classes.failure}>
          {id !== ownId && <a href={withScale(`/matdatades/${id}`, functional)}>#{id}</a>}{' '}
          {withSubscripts(text[language])}{' '}
          <small className={classes.scaleAccuracySource}>{statementIn(source, language)}</small>
        </p>
      ))}
    </Notice>
  );
}

/** Shown below a phase diagram: errors of its compound classes, and known wrong orderings of the scale. */
export function DiagramAccuracy({ answer }: { readonly answer: PhaseDiagramData }) {
  const { t } = useTexts(scaleAccuracyTexts);
  const { expected_errors: errors = [], scale_failures: failures = [] } = answer;
  return (
    <div className={`uc-hint ${classes.trust}`}>
      <ScaleFailures failures={failures} />
      {errors.length > 0 && (
        <details className={`uc-hint ${classes.note}`}>
          <summary className={classes.completenessLine}>
            <IconPlusMinus className={classes.icon} size={16} aria-hidden="true" />
            <span>{t('trust')}</span>
          </summary>
          <table className={`uc-table uc-numbers ${classes.table}`}>
            <thead>
              <tr>
                <th scope="col">{t('kind')}</th>
                <th scope="col">{t('deviation')}</th>
                <th scope="col">{t('mean')}</th>
                <th scope="col">{t('count')}</th>
              </tr>
            </thead>
            <tbody>
              {errors.map((error) => (
                <tr key={error.compound_class}>
                  <th scope="row">{t(error.compound_class ?? 'all')}</th>
                  <td>
                    <NumberText value={error.mean_absolute} />
                  </td>
                  <td>
                    <NumberText value={error.mean} />
                  </td>
                  <td>{error.count}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p>{t('howMade')}</p>
        </details>
      )}
    </div>
  );
}

type Trusted = Pick<
  MaterialDetail,
  'struct_id' | 'energy_scales' | 'run_type' | 'scale_failures' | 'sources'
>;

const shownScale = ({ energy_scales: scales, run_type: functional }: Trusted) =>
  scales.find((scale) => scale.functional === functional);

const STATUS_ICONS = {
  complete: IconShieldCheck,
  incomplete: IconAlertTriangle,
  'not-known': IconShieldQuestion,
};

/**
 * A badge for the reliability of a material's energies. A click shows measured values, the error of the compound class and
 * system completeness. It is open if compounds are missing. Known errors of the scale are always shown.
 */
export function MaterialTrust({ material }: { readonly material: Trusted }) {
  const { t } = useTexts(scaleAccuracyTexts);
  const { scale_failures: failures = [], run_type: functional } = material;
  const { completeness, expected_error: error } = shownScale(material) ?? {};
  if (completeness === undefined && error === undefined) return null;
  const status = completeness?.status ?? 'not-known';
  const Icon = STATUS_ICONS[status];
  return (
    <>
      <details className={classes.trustBadge} open={status === 'incomplete'}>
        <summary data-status={status}>
          <Icon size={16} aria-hidden="true" />
          <strong>{t('badge')}</strong>
          {error && <span>{t('badgeError', { error: formatNumber(error.mean_absolute) })}</span>}
          <span>{t(status)}</span>
        </summary>
        <div className={`uc-hint ${classes.trust}`}>
          <CompletenessNote completeness={completeness} of="hull" />
          <MaterialAccuracy material={material} />
        </div>
      </details>
      <ScaleFailures
        failures={failures.filter((failure) => failure.functional === functional)}
        ownId={material.struct_id}
      />
    </>
  );
}

/** The measured value, and the error of the compound class against experiment. */
function MaterialAccuracy({ material }: { readonly material: Trusted }) {
  const { t } = useTexts(scaleAccuracyTexts);
  const { sources, energy_scales: scales } = material;
  const shown = shownScale(material);
  const error = shown?.expected_error;
  if (shown === undefined || error === undefined) return null;
  const measured = scales.find(
    (scale) => scale.functional === error.measured_scale,
  )?.formation_energy_per_atom;
  const computed = shown.formation_energy_per_atom;
  return (
    <>
      {typeof measured === 'number' && (
        <p className={classes.completenessLine}>
          <IconFlask className={classes.icon} size={16} aria-hidden="true" />
          <span>
            <SourcedValue
              name={t('measuredName')}
              method="enthalpy"
              source={sources.find(({ section, of }) => section === 'energy' && of === error.measured_scale)}
              scale={error.measured_scale}
            >
              {t('measured', { energy: formatNumber(measured) })}
              {computed !== null &&
                t(computed < measured ? 'computed_below' : 'computed_above', {
                  difference: formatNumber(Math.abs(computed - measured)),
                })}
            </SourcedValue>
          </span>
        </p>
      )}
      <p className={classes.completenessLine}>
        <IconPlusMinus className={classes.icon} size={16} aria-hidden="true" />
        <span>
          {joined(
            t('errorOf', {
              kind: t(error.compound_class ?? 'all'),
              error: formatNumber(error.mean_absolute),
            }),
            t('compared', { count: error.count, n: error.count }),
            t(error.mean < 0 ? 'bias_strong' : 'bias_weak', { mean: formatNumber(Math.abs(error.mean)) }),
            t('howMade'),
          )}
        </span>
      </p>
    </>
  );
}
