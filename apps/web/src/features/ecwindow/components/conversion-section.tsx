/** The conversion of a material with the metal of an ion: plateaus of voltage over capacity, and their products. */
import { useQuery } from '@tanstack/react-query';
import { getConversion } from '@unitcell/contract/calls';
import type { ConversionStep } from '@unitcell/contract/electrodes';
import { useCallback, useMemo } from 'react';
import { type DataColumn, numberColumn } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useProvenance, withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { ReactionEquation } from '../../../components/reaction-equation.tsx';
import { Section } from '../../../components/section.tsx';
import { type Translate, useTexts } from '../../../i18n/texts.ts';
import { apiQuery } from '../../../lib/api-client.ts';
import { formatNumber, paddedStructId } from '../../../lib/format.ts';
import { type ChartColors, provenanceNote } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';
import { ecwindowTexts } from '../texts.ts';
import { coupleOf } from '../view-model.ts';
import classes from './ecwindow.module.css';

/** Corners of the discharge: capacity (mAh/g) and voltage (V). */
const cornersOf = (steps: readonly ConversionStep[]): readonly (readonly [number, number])[] =>
  steps.flatMap(({ voltage, capacity }, index) => [
    [steps[index - 1]?.capacity ?? 0, voltage] as const,
    [capacity, voltage] as const,
  ]);

interface FigureTexts {
  readonly capacityAxis: string;
  readonly voltageAxis: string;
  readonly provenance: string;
}

function conversionFigure(
  corners: readonly (readonly [number, number])[],
  texts: FigureTexts,
  colors: ChartColors,
): PlotFigure {
  return {
    data: [
      {
        type: 'scatter',
        mode: 'lines',
        x: corners.map(([capacity]) => capacity),
        y: corners.map(([, voltage]) => voltage),
        hovertemplate: '%{x:.0f} mAh/g, %{y:.3f} V<extra></extra>',
        line: { color: colors.series[0] ?? colors.ink, width: 2 },
        cliponaxis: false,
      },
    ],
    layout: {
      showlegend: false,
      hovermode: 'closest',
      margin: { l: 64, r: 24, t: 24, b: 84 },
      xaxis: { title: { text: texts.capacityAxis }, range: [0, 1.04 * (corners.at(-1)?.[0] ?? 1)] },
      yaxis: { title: { text: texts.voltageAxis }, range: [0, 1.1 * (corners[0]?.[1] ?? 1)] },
      annotations: [provenanceNote(texts.provenance, -80, colors)],
    },
  };
}

interface ConversionProps {
  readonly structId: number;
  readonly ion: string;
  readonly scale: string | null;
  /** True if the window above is calculated with a gas or at a temperature; the conversion considers neither. */
  readonly isApart: boolean;
}

export function ConversionSection({ structId, ion, scale, isApart }: ConversionProps) {
  const { t } = useTexts(ecwindowTexts);
  const conversion = useQuery({
    ...apiQuery({
      call: getConversion,
      body: { struct_id: structId, ion, ...(scale ? { functional: scale } : {}) },
    }),
    retry: false,
  });
  const { data } = conversion;
  const provenanceOf = useProvenance();
  const provenance = data ? provenanceOf(data) : '';
  const columns = useMemo(() => stepColumns(t, scale), [t, scale]);
  const corners = useMemo(() => cornersOf(data?.steps ?? []), [data]);
  const axes = useMemo(
    () => ({ capacityAxis: t('capacityAxis'), voltageAxis: t('voltageAxis', { couple: coupleOf(ion) }) }),
    [ion, t],
  );
  const figure = useCallback(
    (colors: ChartColors) => conversionFigure(corners, { ...axes, provenance }, colors),
    [corners, axes, provenance],
  );
  const name = `conversion-${data?.formula ?? ''}-${structId}-${ion}`;
  return (
    <Section id="conversion" title={t('conversion', { ion })} lead={t('conversionLead')}>
      {isApart && <p className="uc-note">{t('conversionApart')}</p>}
      {conversion.isError && (
        <ErrorPanel error={conversion.error} onRetry={() => void conversion.refetch()} />
      )}
      {data?.steps.length === 0 && <p className="uc-note">{t('noConversion', { ion })}</p>}
      {data && data.steps.length > 0 && (
        <div className="uc-stack">
          <p className="uc-note">
            {t('conversionSums', {
              capacity: formatNumber(data.capacity, { decimals: 0 }),
              voltage: formatNumber(data.average_voltage, { decimals: 2 }),
              energy: formatNumber(data.specific_energy, { decimals: 0 }),
            })}
          </p>
          <Plot
            figure={figure}
            name={name}
            height={360}
            summary={t('conversionFigure', { formula: formulaText(data.formula), ion })}
            table={() => ({ header: [axes.capacityAxis, axes.voltageAxis], rows: corners })}
          />
          <DataTable
            label={t('conversionTable')}
            rows={data.steps}
            columns={columns}
            rowKey={({ to }) => to}
            pageSize={50}
            csvName={name}
            caption={<p className={`uc-note ${classes.detailNote}`}>{provenance}</p>}
          />
        </div>
      )}
    </Section>
  );
}

/** Columns with the linked phases of a row and its reaction. */
export const equilibriumColumns = <Row,>(
  t: Translate<(typeof ecwindowTexts)['en']>,
  scale: string | null,
  phasesOf: (row: Row) => readonly { readonly formula: string; readonly struct_id: number | null }[],
  reactionOf: (row: Row) => string,
): readonly DataColumn<Row>[] => [
  {
    id: 'equilibria',
    isWrapped: true,
    header: t('equilibria'),
    value: (row) =>
      phasesOf(row)
        .map(({ formula }) => formula)
        .join(' + '),
    render: (row) =>
      phasesOf(row).map(({ formula, struct_id: id }, index) => (
        <span key={formula}>
          {index > 0 && ' + '}
          {id === null ? (
            <Formula text={formula} />
          ) : (
            <a href={withScale(`/matdatades/${paddedStructId(id)}`, scale)} target="_blank" rel="noopener">
              <Formula text={formula} />
            </a>
          )}
        </span>
      )),
  },
  {
    id: 'reaction',
    isWrapped: true,
    header: t('reaction'),
    value: reactionOf,
    render: (row) => <ReactionEquation text={reactionOf(row)} />,
  },
];

const stepColumns = (
  t: Translate<(typeof ecwindowTexts)['en']>,
  scale: string | null,
): readonly DataColumn<ConversionStep>[] => [
  numberColumn('voltage', t('plateau'), (row) => row.voltage, { method: 'window' }),
  numberColumn('capacity', t('capacityUntil'), (row) => row.capacity, { decimals: 0, method: 'window' }),
  ...equilibriumColumns<ConversionStep>(
    t,
    scale,
    ({ phases }) => phases,
    ({ reaction }) => reaction,
  ),
];
