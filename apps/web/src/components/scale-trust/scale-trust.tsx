/** Where a scale contradicts experiment, a sentence each with its source. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import type { PhaseDiagramData, ScaleFailure } from '@unitcell/contract/phase-diagram';
import { IconFlask, IconPlusMinus } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { formulaText } from '../formula.tsx';
import { Notice } from '../notice.tsx';
import { statementIn } from '../provenance/statement.ts';
import { scaleTrustTexts } from './texts.ts';
import { NumberText } from '../number-text.tsx';
import { formatNumber } from '../../lib/format.ts';
import { SourcedValue } from '../provenance/sourced-value.tsx';
import classes from '../provenance/provenance.module.css';

/** Formulas stand in running text: `TiO2` → TiO₂. */
const withSubscripts = (text: string): string =>
  text.replace(/\b(?:[A-Z][a-z]?\d*){2,}\b/g, (word) => formulaText(word));

interface ScaleFailuresProps {
  readonly failures: readonly ScaleFailure[];
  /** The material whose page this is on, which needs no link. */
  readonly ownId?: number;
}

function ScaleFailures({ failures, ownId }: ScaleFailuresProps) {
  const { language } = useTexts(scaleTrustTexts);
  if (failures.length === 0) return null;
  return (
    <Notice kind="warning">
      {failures.map(({ struct_id: id, text, source }) => (
        <p key={text.en} className={classes.failure}>
          {id !== ownId && <a href={`/matdatades/${id}`}>#{id}</a>} {withSubscripts(text[language])}{' '}
          <small className={classes.scaleTrustSource}>{statementIn(source, language)}</small>
        </p>
      ))}
    </Notice>
  );
}

/** Below a phase diagram: errors of the classes of compounds in it, and where the scale has their order wrong. */
export function DiagramTrust({ answer }: { readonly answer: PhaseDiagramData }) {
  const { t } = useTexts(scaleTrustTexts);
  const { expected_errors: errors = [], scale_failures: failures = [] } = answer;
  return (
    <div className={classes.trust}>
      <ScaleFailures failures={failures} />
      {errors.length > 0 && (
        <details className={classes.note}>
          <summary className={classes.completenessLine}>
            <IconPlusMinus className={classes.icon} size={16} aria-hidden="true" />
            <span>{t('trust')}</span>
          </summary>
          <table className={classes.table}>
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

/** Beside the energies of a material: what was measured, how far its class lies from experiment, where the scale fails. */
export function MaterialTrust({ material }: { readonly material: Trusted }) {
  const { t } = useTexts(scaleTrustTexts);
  const { sources, energy_scales: scales, run_type: functional, scale_failures: failures = [] } = material;
  const shown = scales.find((scale) => scale.functional === functional);
  const error = shown?.expected_error;
  if (shown === undefined || error === undefined) return null;
  const measured = scales.find(
    (scale) => scale.functional === error.measured_scale,
  )?.formation_energy_per_atom;
  const computed = shown.formation_energy_per_atom;
  return (
    <div className={classes.trust}>
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
      <details className={classes.note}>
        <summary className={classes.completenessLine}>
          <IconPlusMinus className={classes.icon} size={16} aria-hidden="true" />
          <span>
            {t('errorOf', {
              kind: t(error.compound_class ?? 'all'),
              error: formatNumber(error.mean_absolute),
            })}{' '}
            {t('compared', { n: error.count })}
          </span>
        </summary>
        <div className={classes.more}>
          <p>
            {t(error.mean < 0 ? 'bias_strong' : 'bias_weak', { mean: formatNumber(Math.abs(error.mean)) })}
          </p>
          <p>{t('howMade')}</p>
        </div>
      </details>
      <ScaleFailures
        failures={failures.filter((failure) => failure.functional === functional)}
        ownId={material.struct_id}
      />
    </div>
  );
}
