/** The drawings of the model card. */
import type { CallAnswer, modelCard } from '@unitcell/contract/calls';
import type { ChartColors } from '../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../viz/plot/plot.tsx';

export type ModelCard = CallAnswer<typeof modelCard>;

/** Per cent that were asked of the 90 % interval. */
export const ASKED = { least: 88, most: 92 } as const;

/** Share inside the interval of each class, with its standard error, over the band that was asked. */
export function coverageFigure(
  classes: ModelCard['classes'],
  texts: { readonly names: readonly string[]; readonly axis: string },
  colors: ChartColors,
): PlotFigure {
  const isMet = classes.map(({ coverage }) => 100 * coverage >= ASKED.least && 100 * coverage <= ASKED.most);
  return {
    data: [
      {
        type: 'scatter',
        mode: 'markers',
        x: classes.map(({ coverage }) => 100 * coverage),
        y: [...texts.names],
        error_x: {
          type: 'data',
          array: classes.map(({ coverage_error: error }) => 100 * error),
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

/** Chance told against share that came true, for each margin; points grow with the number of crystals. */
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
