/** The card of the current model: data, method, metrics, limits, and uses to avoid. */
import type { CallAnswer } from '@unitcell/contract';
import type { modelCard } from '@unitcell/contract/calls';
import { useCallback } from 'react';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import type { DataColumn } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Section } from '../../../components/section.tsx';
import { ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { documentationAddress } from '../../../lib/documentation.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';
import { CARD, useModelCard } from '../api/use-prediction.ts';
import { cardTexts } from '../card-texts.ts';
import classes from './prediction.module.css';

type ModelCard = CallAnswer<typeof modelCard>;

/** Allowed coverage of the 90 % interval, in per cent. */
const ASKED = { least: 88, most: 92 } as const;

/** Chart of the coverage of each class with its standard error, over the allowed range. */
export function coverageFigure(
  bands: ModelCard['classes'],
  texts: { readonly names: readonly string[]; readonly axis: string },
  colors: ChartColors,
): PlotFigure {
  const isMet = bands.map(({ coverage }) => 100 * coverage >= ASKED.least && 100 * coverage <= ASKED.most);
  return {
    data: [
      {
        type: 'scatter',
        mode: 'markers',
        x: bands.map(({ coverage }) => 100 * coverage),
        y: [...texts.names],
        error_x: {
          type: 'data',
          array: bands.map(({ coverage_error: error }) => 100 * error),
          thickness: 1.2,
          width: 3,
          color: colors.faint,
        },
        hovertemplate: '%{y}: %{x:.1f} %<extra></extra>',
        marker: {
          size: 10,
          color: isMet.map((met) => (met ? colors.stable : colors.surface)),
          line: { color: isMet.map((met) => (met ? colors.stable : colors.unstable)), width: 1.6 },
        },
      },
    ],
    layout: {
      xaxis: { title: { text: texts.axis }, ticksuffix: ' %' },
      yaxis: { autorange: 'reversed', automargin: true },
      shapes: [
        {
          type: 'rect',
          yref: 'paper',
          x0: ASKED.least,
          x1: ASKED.most,
          y0: 0,
          y1: 1,
          fillcolor: colors.stable,
          opacity: 0.1,
          line: { width: 0 },
        },
      ],
      margin: { l: 20, r: 20, t: 16, b: 52 },
    },
  };
}

/** Predicted probability against observed frequency, for each margin; point size grows with the number of crystals. */
export function chanceFigure(
  detection: ModelCard['detection'],
  texts: { readonly names: readonly string[]; readonly told: string; readonly found: string },
  colors: ChartColors,
): PlotFigure {
  const most = Math.max(1, ...detection.flatMap(({ chances }) => chances.map(({ rows }) => rows)));
  return {
    data: detection.map(({ chances }, index) => {
      const known = chances.filter(({ rows }) => rows > 0);
      return {
        type: 'scatter',
        mode: 'lines+markers',
        name: texts.names[index]!,
        x: known.map(({ told }) => 100 * told),
        y: known.map(({ found }) => 100 * found),
        text: known.map(({ rows }) => String(rows)),
        hovertemplate: '%{x:.0f} % → %{y:.0f} % (%{text})<extra></extra>',
        line: { width: 1, color: colors.series[index]! },
        marker: {
          size: known.map(({ rows }) => 5 + 11 * Math.sqrt(rows / most)),
          color: colors.series[index]!,
          symbol: index === 0 ? 'circle' : 'circle-open',
        },
      };
    }),
    layout: {
      xaxis: { title: { text: texts.told }, range: [-2, 102], ticksuffix: ' %' },
      yaxis: { title: { text: texts.found }, range: [-2, 102], ticksuffix: ' %' },
      shapes: [
        {
          type: 'line',
          x0: 0,
          y0: 0,
          x1: 100,
          y1: 100,
          line: { color: colors.faint, width: 1, dash: 'dot' },
        },
      ],
      margin: { l: 76, r: 20, t: 16, b: 56 },
    },
  };
}

const percent = (share: number): string => `${formatNumber(100 * share, { decimals: 1 })} %`;
const isMet = (share: number): boolean => 100 * share >= ASKED.least && 100 * share <= ASKED.most;
const UNITS: Readonly<Record<ModelCard['figures'][number]['property'], string>> = {
  formation_energy_per_atom: ' eV/atom',
  band_gap: ' eV',
  measured_band_gap: ' eV',
  log10_bulk_modulus: '',
  log10_shear_modulus: '',
};

export function Page() {
  const { t } = useTexts(cardTexts);
  const card = useModelCard();
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} />
      {card.isPending && <Waiting>{t('loading')}</Waiting>}
      {card.isError && <ErrorPanel error={card.error} onRetry={() => void card.refetch()} />}
      {card.data && <Card card={card.data} />}
    </div>
  );
}

function Card({ card }: { readonly card: ModelCard }) {
  const { t, language } = useTexts(cardTexts);
  const list = (keys: readonly Parameters<typeof t>[0][]) => (
    <ul className={classes.list}>
      {keys.map((key) => (
        <li key={key}>{(t as (key: string) => string)(key)}</li>
      ))}
    </ul>
  );
  return (
    <>
      <p className={classes.note}>
        {t('model', { model: card.model, members: card.members })}. {t(card.is_shipped ? 'shipped' : 'own')}
      </p>
      <Figures figures={card.figures} />
      <Classes classes={card.classes} />
      <Chances detection={card.detection} />
      <Section
        id="data"
        title={t('data')}
        lead={t('dataCounts', {
          crystals: formatCount(card.taught_crystals),
          formulas: formatCount(card.taught_formulas),
          calibration: formatCount(card.calibration_crystals),
          test: formatCount(card.test_crystals),
        })}
      >
        {list(['data1', 'data2', 'data3', 'split'])}
      </Section>
      <Section id="method" title={t('method')}>
        {list(['method1', 'method2', 'method3'])}
      </Section>
      <Section id="limits" title={t('limits')}>
        {list(['limit1', 'limit2', 'limit3', 'limit8', 'limit4', 'limit5', 'limit6', 'limit7'])}
      </Section>
      <Section id="uses" title={t('uses')}>
        {list(['use1', 'use2', 'use3'])}
        <p className={classes.note}>
          <a href={documentationAddress(language, 'methods/prediction')}>{t('doc')}</a>{' '}
          {card.is_shipped && t('again')} {card.is_shipped && <code>npm run bench -- prediction</code>}
        </p>
      </Section>
    </>
  );
}

function Figures({ figures }: Pick<ModelCard, 'figures'>) {
  const { t } = useTexts(cardTexts);
  type Row = ModelCard['figures'][number];
  const columns: readonly DataColumn<Row>[] = [
    { id: 'property', header: t('property'), value: ({ property }) => t(property), isKey: true },
    { id: 'of', header: t('of'), value: ({ of }) => t(of), isKey: true },
    {
      id: 'rows',
      header: t('rows'),
      value: ({ rows }) => rows,
      render: ({ rows }) => formatCount(rows),
      isNumeric: true,
    },
    {
      id: 'error',
      header: t('error'),
      isKey: true,
      value: ({ mean_absolute_error: error }) => error,
      render: ({ mean_absolute_error: error, property }) => `${formatNumber(error)}${UNITS[property]}`,
      isNumeric: true,
    },
    {
      id: 'coverage',
      header: t('coverage'),
      value: ({ coverage }) => coverage,
      render: ({ coverage }) => (
        <>
          {percent(coverage)} {!isMet(coverage) && <strong>{t('missed')}</strong>}
        </>
      ),
      isNumeric: true,
    },
  ];
  return (
    <Section id="figures" title={t('figures')} lead={t('figuresLead')} tools={<CopyAsCode sent={CARD} />}>
      <DataTable
        label={t('figuresTable')}
        rows={figures}
        columns={columns}
        rowKey={({ of, property }) => `${of} ${property}`}
        csvName="model-figures"
      />
    </Section>
  );
}

function Classes({ classes: rows }: Pick<ModelCard, 'classes'>) {
  const { t } = useTexts(cardTexts);
  const figure = useCallback(
    (colors: ChartColors) =>
      coverageFigure(rows, { names: rows.map((row) => t(row.compound_class)), axis: t('coverage') }, colors),
    [rows, t],
  );
  const columns: readonly DataColumn<ModelCard['classes'][number]>[] = [
    { id: 'class', header: t('class'), value: (row) => t(row.compound_class), isKey: true },
    {
      id: 'crystals',
      header: t('nCrystals'),
      value: ({ crystals }) => crystals,
      render: ({ crystals }) => formatCount(crystals),
      isNumeric: true,
    },
    { id: 'systems', header: t('systems'), value: ({ systems }) => systems, isNumeric: true },
    {
      id: 'error',
      header: t('error'),
      isKey: true,
      value: (row) => row.mean_absolute_error,
      render: (row) => `${formatNumber(row.mean_absolute_error)} eV/atom`,
      isNumeric: true,
    },
    {
      id: 'coverage',
      header: t('coverage'),
      isKey: true,
      value: ({ coverage }) => coverage,
      render: ({ coverage, coverage_error: error }) => (
        <>
          {percent(coverage)} ± {percent(error)} {!isMet(coverage) && <strong>{t('missed')}</strong>}
        </>
      ),
      isNumeric: true,
    },
    {
      id: 'half',
      header: t('half'),
      value: (row) => row.mean_half_width,
      render: (row) => `${formatNumber(row.mean_half_width)} eV/atom`,
      isNumeric: true,
    },
  ];
  if (rows.length === 0) return null;
  const shares = rows.map(({ coverage }) => 100 * coverage);
  return (
    <Section id="classes" title={t('classes')} lead={t('classesLead')}>
      <figure className={classes.figure}>
        <Plot
          figure={figure}
          name="coverage-by-class"
          height={300}
          summary={t('classesSummary', {
            n: rows.length,
            least: formatNumber(Math.min(...shares), { decimals: 1 }),
            most: formatNumber(Math.max(...shares), { decimals: 1 }),
          })}
        />
      </figure>
      <DataTable
        label={t('classesTable')}
        rows={rows}
        columns={columns}
        rowKey={(row) => row.compound_class}
        csvName="coverage-by-class"
      />
    </Section>
  );
}

function Chances({ detection }: Pick<ModelCard, 'detection'>) {
  const { t } = useTexts(cardTexts);
  const figure = useCallback(
    (colors: ChartColors) => {
      const drawn = detection.filter(({ of }) => of === 'crystals');
      const names = drawn.map(({ margin }) => t('within', { margin }));
      return chanceFigure(drawn, { names, told: t('told'), found: t('found') }, colors);
    },
    [detection, t],
  );
  if (detection.length === 0) return null;
  return (
    <Section id="chances" title={t('chances')} lead={t('chancesLead')}>
      <figure className={classes.figure}>
        <Plot
          figure={figure}
          name="chances"
          height={380}
          summary={t('chancesSummary', {
            margins: [...new Set(detection.map(({ margin }) => margin))].join(', '),
          })}
        />
      </figure>
      <ul className={classes.list}>
        {detection.map(({ of, margin, f1, f1_of_all_yes: all, prevalence }) => (
          <li key={`${of} ${margin}`}>
            {t('detection', {
              margin,
              of: t(of),
              f1: formatNumber(f1, { decimals: 2 }),
              all: formatNumber(all, { decimals: 2 }),
              prevalence: formatNumber(100 * prevalence, { decimals: 0 }),
            })}
          </li>
        ))}
      </ul>
    </Section>
  );
}
