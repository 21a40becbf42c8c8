/** Below a phase diagram: errors of the classes of compounds in it, and where the scale has their order wrong. */
import type { PhaseDiagramData } from '@unitcell/contract';
import { IconPlusMinus } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { NumberText } from '../number-text.tsx';
import note from '../completeness/completeness-note.module.css';
import classes from './scale-trust.module.css';
import { ScaleFailures } from './scale-failures.tsx';
import { scaleTrustTexts } from './texts.ts';

export function DiagramTrust({ answer }: { readonly answer: PhaseDiagramData }) {
  const { t } = useTexts(scaleTrustTexts);
  const { expected_errors: errors = [], scale_failures: failures = [] } = answer;
  return (
    <div className={classes.trust}>
      <ScaleFailures failures={failures} />
      {errors.length > 0 && (
        <details className={note.note}>
          <summary className={note.line}>
            <IconPlusMinus className={note.icon} size={16} aria-hidden="true" />
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
