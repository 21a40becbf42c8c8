/** Beside the energies of a material: what was measured, how far its class lies from experiment, where the scale fails. */
import type { MaterialDetail } from '@unitcell/contract';
import { IconFlask, IconPlusMinus } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import { SourcedValue } from '../provenance/sourced-value.tsx';
import note from '../completeness/completeness-note.module.css';
import classes from './scale-trust.module.css';
import { ScaleFailures } from './scale-failures.tsx';
import { scaleTrustTexts } from './texts.ts';

type Trusted = Pick<
  MaterialDetail,
  'struct_id' | 'energy_scales' | 'run_type' | 'scale_failures' | 'sources'
>;

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
        <p className={note.line}>
          <IconFlask className={note.icon} size={16} aria-hidden="true" />
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
      <details className={note.note}>
        <summary className={note.line}>
          <IconPlusMinus className={note.icon} size={16} aria-hidden="true" />
          <span>
            {t('errorOf', {
              kind: t(error.compound_class ?? 'all'),
              error: formatNumber(error.mean_absolute),
            })}{' '}
            {t('compared', { n: error.count })}
          </span>
        </summary>
        <div className={note.more}>
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
