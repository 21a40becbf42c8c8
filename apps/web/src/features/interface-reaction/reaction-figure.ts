/** The drawing: reaction energy over the atomic fraction, with the molar fraction as a second axis. */
import type { InterfaceResult } from '@unitcell/contract/interface-reaction';
import { formulaText } from '../../components/formula.tsx';
import type { ChartColors } from '../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../viz/plot/plot.tsx';
import { molarTicks } from './view-model.ts';

export interface ReactionFigureOptions {
  readonly isNarrow: boolean;
  readonly energyAxis: string;
  readonly provenance: string;
}

/** Ticks of the molar axis closer than this, as a share of it, would run into each other: on wide and narrow screens. */
const TICK_GAP = { wide: 0.06, narrow: 0.17 } as const;

/** eV/atom: what is shown around a line that stays at zero. */
const FLAT_RANGE = [-0.1, 0.02] as const;

/** A formula inside a title, with real subscripts. */
const typeset = (title: string, formula: string): string => title.replace(formula, formulaText(formula));

export function reactionFigure(
  result: InterfaceResult,
  highlighted: number | null,
  options: ReactionFigureOptions,
  colors: ChartColors,
): PlotFigure {
  const { atomic_fraction: x, reaction_energy: y, text, min_re_index: lowest } = result;
  const ticks = molarTicks(result, options.isNarrow ? TICK_GAP.narrow : TICK_GAP.wide);
  const formula = result.reactants[0].formula;
  const marked = highlighted ?? lowest;
  return {
    data: [
      {
        type: 'scatter',
        mode: 'lines+markers',
        x,
        y,
        hovertext: text,
        hoverinfo: 'text',
        customdata: x.map((_, index) => index),
        line: { color: colors.series[0] ?? colors.ink, width: 1.8 },
        marker: { size: 9, color: colors.series[0] ?? colors.ink },
        cliponaxis: false,
      },
      {
        type: 'scatter',
        mode: 'markers',
        x: [x[marked] ?? 0],
        y: [y[marked] ?? 0],
        hoverinfo: 'skip',
        marker: {
          size: 18,
          symbol: 'circle-open',
          color: colors.highlight,
          line: { width: 3, color: colors.highlight },
        },
        cliponaxis: false,
      },
      // An axis is only drawn where a series stands on it.
      { type: 'scatter', mode: 'markers', x: [], y: [], xaxis: 'x2', hoverinfo: 'skip' },
    ],
    layout: {
      showlegend: false,
      hovermode: 'closest',
      margin: { l: 76, r: 28, t: 84, b: 88 },
      xaxis: {
        title: { text: typeset(result.atomic_title, formula) },
        range: [-0.02, 1.02],
        mirror: false,
      },
      yaxis: {
        title: { text: options.energyAxis },
        ...(y.every((energy) => energy === 0) ? { range: [...FLAT_RANGE] } : {}),
      },
      xaxis2: {
        title: { text: typeset(result.molar_title, formula), standoff: 10 },
        overlaying: 'x',
        side: 'top',
        range: [-0.02, 1.02],
        tickvals: ticks.places,
        ticktext: ticks.labels,
        ticks: 'inside',
        ticklen: 5,
        tickcolor: colors.ink,
        tickangle: 0,
        showline: true,
        linecolor: colors.ink,
        linewidth: 1,
        showgrid: false,
        zeroline: false,
      },
      annotations: [
        {
          text: options.provenance,
          xref: 'paper',
          yref: 'paper',
          x: 1,
          y: 0,
          yshift: -84,
          xanchor: 'right',
          yanchor: 'bottom',
          showarrow: false,
          font: { size: 11, color: colors.faint },
        },
      ],
    },
  };
}
