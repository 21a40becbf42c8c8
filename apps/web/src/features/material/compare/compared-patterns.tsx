/** Powder patterns one above the other, each to its strongest line. */
import type { MaterialDetail, MaterialXrd } from '@unitcell/contract/matdata';
import { useQueries } from '@tanstack/react-query';
import type { Data } from 'plotly.js';
import { formulaText } from '../../../components/formula.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot, type PlotFigure } from '../../../viz/plot/plot.tsx';
import { xrdRequest } from '../material-requests.ts';
import { TWO_THETA_SHOWN } from '../sections/xrd-view-model.ts';
import { compareTexts } from './texts.ts';

/** Of the strongest line between two patterns. */
const OFFSET = 110;

interface Series {
  readonly material: MaterialDetail;
  readonly pattern: MaterialXrd;
}

const patternsOf = (answers: readonly { readonly data: MaterialXrd | undefined }[]) =>
  answers.map(({ data }) => data);

const seriesOf = (
  materials: readonly MaterialDetail[],
  patterns: readonly (MaterialXrd | undefined)[],
): readonly Series[] =>
  materials.flatMap((material, place) => {
    const pattern = patterns[place];
    return pattern ? [{ material, pattern }] : [];
  });

export function ComparedPatterns({ materials }: { readonly materials: readonly MaterialDetail[] }) {
  const answers = useQueries({
    queries: materials.map(({ struct_id: id }) => xrdRequest(String(id))),
    combine: patternsOf,
  });
  return <DrawnPatterns series={seriesOf(materials, answers)} />;
}

function DrawnPatterns({ series }: { readonly series: readonly Series[] }) {
  const { t } = useTexts(compareTexts);
  const names = series.map(({ material }) => formulaText(material.formula)).join(', ');
  const figure = (colors: ChartColors): PlotFigure => ({
    data: series.map(({ material, pattern }, place): Data => {
      const name = `${formulaText(material.formula)} (${material.struct_id})`;
      return {
        type: 'scatter',
        mode: 'lines',
        name,
        x: [...pattern.x],
        y: pattern.y.map((y) => y + (series.length - 1 - place) * OFFSET),
        line: { color: colors.series[place % colors.series.length] ?? colors.ink, width: 1.3 },
        hovertemplate: `${name}<br>2θ = %{x:.2f}°<extra></extra>`,
      };
    }),
    layout: {
      showlegend: false,
      margin: { l: 30, r: 14, t: 18, b: 48 },
      xaxis: { title: { text: t('twoTheta') }, range: [...TWO_THETA_SHOWN] },
      yaxis: {
        title: { text: t('intensity') },
        showticklabels: false,
        range: [-4, series.length * OFFSET + 8],
      },
      annotations: series.map(({ material }, place) => ({
        xref: 'paper',
        x: 0.995,
        xanchor: 'right',
        y: (series.length - 1 - place) * OFFSET + 92,
        text: `${formulaText(material.formula)} (${material.struct_id})`,
        showarrow: false,
        font: { size: 12, color: colors.series[place % colors.series.length] ?? colors.ink },
      })),
    },
  });
  if (series.length === 0) return null;
  return (
    <Plot
      figure={figure}
      height={180 + 90 * series.length}
      name={`patterns-${series.map(({ material }) => material.struct_id).join('-')}`}
      summary={t('patternSummary', { names })}
      table={() => ({
        header: ['struct_id', '2theta (deg)', 'intensity'],
        rows: series.flatMap(({ material, pattern }) =>
          pattern.x.map((x, index) => [material.struct_id, x, pattern.y[index]]),
        ),
      })}
    />
  );
}
