/** ΔG of a reaction over temperature: measured as a line, computed dashed with its error, phase changes marked. */
import type { ReactionBalance, ReactionCurve, ReactionSpecies } from '@unitcell/contract/stability';
import { type ChartColors, provenanceNote } from '../../viz/plot/chart-theme.ts';
import type { PlotFigure, Series } from '../../viz/plot/plot-figure.ts';
import { bandOf, PHASE_CHANGE_SYMBOLS, valueAt } from './curves.ts';

export interface ReactionFigureTexts {
  readonly temperatureAxis: string;
  readonly energyAxis: string;
  readonly measured: string;
  readonly computed: string;
  readonly provenance: string;
  readonly turning: (temperature: number) => string;
  readonly phaseChange: (formula: string, kind: ReactionSpecies['transitions'][number]['kind']) => string;
}

const HOVER = '%{x:.0f} K<br>%{y:.1f} kJ/mol<extra></extra>';

/** Temperature range in K that includes both curves. */
function rangeOf({ measured, computed }: ReactionBalance): [number, number] {
  const all = [...(measured?.temperatures ?? []), ...(computed?.temperatures ?? [])];
  return [Math.min(...all), Math.max(...all)];
}

export function reactionFigure(
  balance: ReactionBalance,
  species: readonly ReactionSpecies[],
  temperature: number,
  texts: ReactionFigureTexts,
  colors: ChartColors,
): PlotFigure {
  const [blue, red] = [colors.series[0] ?? colors.ink, colors.series[1] ?? colors.ink];
  const { measured, computed } = balance;
  const error = computed?.at?.error ?? null;
  const curve = (of: ReactionCurve, name: string, color: string, dash: 'solid' | 'dash'): Series => ({
    type: 'scatter',
    mode: 'lines',
    name,
    x: of.temperatures,
    y: of.gibbs,
    line: { color, width: 1.8, dash },
    hovertemplate: HOVER,
  });
  const onMeasured = (at: number): number | null =>
    measured && valueAt(measured.temperatures, measured.gibbs, at);
  const changes = species.flatMap(({ formula, transitions }, index) =>
    (balance.coefficients[index] ?? 0) === 0
      ? []
      : transitions.flatMap((change) => {
          const y = onMeasured(change.temperature);
          return y === null ? [] : [{ ...change, formula, y }];
        }),
  );
  const main = measured ?? computed;
  return {
    data: [
      ...(computed && error !== null ? [bandOf(computed.temperatures, computed.gibbs, error, red)] : []),
      ...(measured ? [curve(measured, texts.measured, blue, 'solid')] : []),
      ...(computed ? [curve(computed, texts.computed, red, 'dash')] : []),
      {
        type: 'scatter',
        mode: 'markers',
        x: changes.map((change) => change.temperature),
        y: changes.map(({ y }) => y),
        marker: {
          size: 9,
          symbol: changes.map(({ kind }) => PHASE_CHANGE_SYMBOLS[kind]),
          color: blue,
          line: { width: 1.5, color: blue },
        },
        hovertext: changes.map(
          ({ formula, kind, temperature: at }) => `${texts.phaseChange(formula, kind)}<br>${at.toFixed(0)} K`,
        ),
        hoverinfo: 'text',
        showlegend: false,
      },
      {
        type: 'scatter',
        mode: 'markers',
        x: main?.turning ?? [],
        y: (main?.turning ?? []).map(() => 0),
        marker: { size: 11, color: colors.highlight, line: { width: 1.5, color: colors.ink } },
        hovertext: (main?.turning ?? []).map(texts.turning),
        hoverinfo: 'text',
        showlegend: false,
      },
    ],
    layout: {
      showlegend: measured !== null && computed !== null,
      hovermode: 'closest',
      margin: { l: 76, r: 28, t: 40, b: 88 },
      xaxis: { title: { text: texts.temperatureAxis }, range: rangeOf(balance) },
      yaxis: { title: { text: texts.energyAxis }, zeroline: true, zerolinecolor: colors.faint },
      shapes: [
        {
          type: 'line',
          x0: temperature,
          x1: temperature,
          yref: 'paper',
          y0: 0,
          y1: 1,
          line: { color: colors.highlight, width: 1.4, dash: 'dash' },
        },
      ],
      annotations: [provenanceNote(texts.provenance, -84, colors)],
    },
  };
}
