/** The running score: what was predicted of submitted structures against what was calculated of them. */
import { DataTable } from '../../../components/data-table/data-table.tsx';
import type { DataColumn } from '../../../components/data-table/columns.ts';
import { useScaleName } from '../../../components/energy-scale/use-scale-name.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { Formula } from '../../../components/formula.tsx';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import { type Score, useScore } from '../api/use-design.ts';
import { designTexts } from '../texts.ts';
import classes from './design.module.css';

type Row = Score['rows'][number];
const METHODS_OF = { formation_energy_per_atom: 'formation', band_gap: 'gap' } as const;
const UNITS = { formation_energy_per_atom: 'eV/atom', band_gap: 'eV' } as const;

export function ScorePanel() {
  const { t } = useTexts(designTexts);
  const score = useScore();
  const nameOf = useScaleName();
  const columns: readonly DataColumn<Row>[] = [
    {
      id: 'formula',
      header: t('formula'),
      value: ({ formula }) => formula,
      render: ({ formula }) => <Formula text={formula} />,
    },
    { id: 'property', header: t('property'), value: ({ property }) => t(property) },
    {
      id: 'predicted',
      header: t('predicted'),
      value: ({ predicted }) => predicted.value,
      render: ({ predicted, property }) => `${formatNumber(predicted.value)} ${UNITS[property]}`,
      isNumeric: true,
      method: 'prediction',
    },
    {
      id: 'interval',
      header: t('interval'),
      value: ({ predicted }) => predicted.low,
      render: ({ predicted }) => `${formatNumber(predicted.low)} – ${formatNumber(predicted.high)}`,
      isNumeric: true,
      method: 'prediction',
    },
    {
      id: 'calculated',
      header: t('calculated'),
      value: ({ calculated }) => calculated,
      render: ({ calculated, property }) => `${formatNumber(calculated)} ${UNITS[property]}`,
      isNumeric: true,
      method: ({ property }) => METHODS_OF[property],
    },
    { id: 'within', header: t('isWithin'), value: ({ is_within: isWithin }) => t(isWithin ? 'yes' : 'no') },
    { id: 'functional', header: t('functional'), value: ({ functional }) => nameOf(functional ?? '') },
  ];
  if (score.isError)
    return (
      <Section id="score" title={t('scoreTitle')} lead={t('scoreLead')}>
        <ErrorPanel error={score.error} onRetry={() => void score.refetch()} />
      </Section>
    );
  if (!score.data) return null;
  const { rows, summary } = score.data;
  return (
    <Section id="score" title={t('scoreTitle')} lead={t('scoreLead')}>
      {rows.length === 0 ? (
        <p className={classes.note}>{t('scoreNone')}</p>
      ) : (
        <>
          <ul className={classes.summary}>
            {summary.map(({ property, functional, compared, mean_absolute_error: error, within }) => (
              <li key={`${property} ${functional}`}>
                {t('scoreLine', {
                  property: t(property),
                  functional: nameOf(functional ?? ''),
                  n: compared,
                  error: formatNumber(error),
                  unit: UNITS[property],
                  within: formatNumber(100 * within, { decimals: 0 }),
                })}
              </li>
            ))}
          </ul>
          <p className={classes.note}>{t('scaleRemark')}</p>
          <DataTable
            label={t('scoreTable')}
            rows={rows}
            columns={columns}
            rowKey={({ struct_id: id, property }) => `${id} ${property}`}
            rowHref={({ struct_id: id }) => `/matdatades/${id}`}
            pageSize={10}
            csvName="predicted-and-calculated"
          />
        </>
      )}
    </Section>
  );
}
