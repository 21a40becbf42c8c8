/** The figure of a window: decomposition energy over voltage, the window as a band, onsets as labelled lines. */
import type { WindowDetail } from '@unitcell/contract/ecwindow';
import type { Annotations, Shape } from 'plotly.js';
import { type ChartColors, provenanceNote } from '../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../viz/plot/plot-figure.ts';

export interface WindowFigureTexts {
  readonly voltageAxis: string;
  readonly energyAxis: string;
  readonly reductionOnset: string;
  readonly oxidationOnset: string;
  readonly provenance: string;
}

/** Labels closer than this share of the axis are on two lines. `wide`: a wide page; `compact`: a phone. */
const LABEL_GAP = { wide: 0.22, compact: 0.75 } as const;

export function windowFigure(
  detail: WindowDetail,
  highlighted: number | null,
  texts: WindowFigureTexts,
  colors: ChartColors,
  isCompact = false,
): PlotFigure {
  const { voltage, rxn_energy: energy, reduction_onset: low, oxidation_onset: high } = detail;
  const last = voltage.at(-1) ?? 5;
  const row = highlighted === null ? undefined : detail.decomposition_table_data[highlighted];
  const isClose = high !== null && (high - low) / last < LABEL_GAP[isCompact ? 'compact' : 'wide'];
  const marker = (at: number, color: string): Partial<Shape> => ({
    type: 'line',
    x0: at,
    x1: at,
    yref: 'paper',
    y0: 0,
    y1: 1,
    line: { color, width: 1.4, dash: 'dash' },
  });
  const label = (at: number, text: string, color: string, line: number): Partial<Annotations> => ({
    x: at,
    yref: 'paper',
    y: 1,
    yshift: 6 + 18 * line,
    yanchor: 'bottom',
    text: `${text} ${at.toFixed(3)} V`,
    showarrow: false,
    font: { size: 12, color },
  });
  const [oxidation, reduction] = [colors.unstable, colors.series[0] ?? colors.ink];
  return {
    data: [
      {
        type: 'scatter',
        mode: 'lines+markers',
        x: voltage,
        y: energy,
        hovertext: detail.hovertext,
        hoverinfo: 'text',
        line: { color: colors.ink, width: 1.8 },
        marker: { size: 7, color: colors.ink },
        cliponaxis: false,
      },
      {
        type: 'scatter',
        mode: 'markers',
        x: high === null ? [low] : [low, high],
        y:
          high === null
            ? [detail.d_e_reduction_onset]
            : [detail.d_e_reduction_onset, detail.d_e_oxidation_onset],
        hoverinfo: 'skip',
        marker: { size: 12, color: high === null ? [reduction] : [reduction, oxidation] },
        cliponaxis: false,
      },
    ],
    layout: {
      showlegend: false,
      hovermode: 'closest',
      margin: { l: 76, r: 28, t: 64, b: 88 },
      xaxis: { title: { text: texts.voltageAxis }, range: [-0.05 * last, 1.02 * last] },
      yaxis: { title: { text: texts.energyAxis } },
      shapes: [
        {
          type: 'rect',
          x0: low,
          x1: high ?? 1.02 * last,
          yref: 'paper',
          y0: 0,
          y1: 1,
          fillcolor: colors.stable,
          opacity: 0.12,
          line: { width: 0 },
          layer: 'below',
        },
        ...(row
          ? [
              {
                type: 'rect' as const,
                x0: row.min_voltage,
                x1: row.max_voltage ?? 1.02 * last,
                yref: 'paper' as const,
                y0: 0,
                y1: 1,
                fillcolor: colors.highlight,
                opacity: 0.22,
                line: { width: 0 },
                layer: 'below' as const,
              },
            ]
          : []),
        marker(low, reduction),
        ...(high === null ? [] : [marker(high, oxidation)]),
      ],
      annotations: [
        label(low, texts.reductionOnset, reduction, 0),
        ...(high === null ? [] : [label(high, texts.oxidationOnset, oxidation, isClose ? 1 : 0)]),
        provenanceNote(texts.provenance, -84, colors),
      ],
    },
  };
}
