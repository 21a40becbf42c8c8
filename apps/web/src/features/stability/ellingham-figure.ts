/** The Ellingham diagram: lines, phase changes, computed bands, and the scales of gas pressures and mixtures. */
import type { EllinghamLineAnswer, EllinghamResult } from '@unitcell/contract/stability';
import { KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { equilibriumLogPressure, equilibriumLogRatio } from '@unitcell/phase-equilibria';
import type { Annotations } from 'plotly.js';
import { formulaText } from '../../components/formula.tsx';
import { type ChartColors, provenanceNote } from '../../viz/plot/chart-theme.ts';
import type { PaperSize } from '../../viz/plot/drawing.tsx';
import type { PlotFigure, Series } from '../../viz/plot/plot-figure.ts';
import type { GasScale } from './ellingham-address.ts';
import { NAME_SIZE, placeNames } from './line-names.ts';
import { bandOf, PHASE_CHANGE_SYMBOLS, valueAt } from './curves.ts';

/** Values of the gas scales at a point of the diagram; null where a scale does not apply. */
export interface GasReading {
  /** log10 of bar */
  readonly pressure: number;
  readonly co: number | null;
  readonly h2: number | null;
}

export function readGases(
  { couples }: Pick<EllinghamResult, 'couples'>,
  temperature: number,
  gibbs: number,
): GasReading {
  const energy = gibbs / KJ_PER_MOL_PER_EV;
  const ratio = (values: readonly number[]): number | null => {
    const couple = couples && valueAt(couples.temperatures, values, temperature);
    return couple === null ? null : equilibriumLogRatio(energy, couple / KJ_PER_MOL_PER_EV, temperature);
  };
  return {
    pressure: equilibriumLogPressure(energy, temperature),
    co: couples && ratio(couples.co_co2),
    h2: couples && ratio(couples.h2_h2o),
  };
}

export interface EllinghamFigureTexts {
  readonly temperatureAxis: string;
  readonly energyAxis: string;
  readonly provenance: string;
  readonly gas: string;
  readonly computed: string;
  readonly phaseChange: (formula: string, kind: EllinghamLineAnswer['transitions'][number]['kind']) => string;
}

export interface EllinghamView {
  readonly result: EllinghamResult;
  /** K */
  readonly reading: number;
  readonly gasScale: GasScale;
  readonly hasComputed: boolean;
  readonly isCompact: boolean;
  /** Formula of a phase whose lines are drawn bold; null for none. */
  readonly marked: string | null;
}

/** True if a phase is the reactant or the product of a line. */
export const isOnLine = ({ reactant, product }: EllinghamLineAnswer, formula: string | null): boolean =>
  reactant === formula || product === formula;

const power = (exponent: number): string => `10<sup>${String(exponent).replace('-', '−')}</sup>`;

/** Exponents of the lines of a gas scale: all multiples of the smallest step that gives at most `most` intervals. */
function exponentsOf(low: number, high: number, most: number): readonly number[] {
  const step = [1, 2, 4, 5, 10, 20, 50, 100].find((one) => (high - low) / one <= most) ?? 200;
  const first = Math.ceil(low / step) * step;
  return Array.from(
    { length: Math.max(0, Math.floor((high - first) / step) + 1) },
    (_, index) => first + index * step,
  );
}

interface Span {
  readonly low: number;
  readonly high: number;
}

/** Lines of equal pressure or ratio, each labelled at its right end. */
function scaleLines({ result, gasScale, isCompact }: EllinghamView, span: Span, colors: ChartColors) {
  const { temperature_min: min, temperature_max: max, couples } = result;
  const couple = gasScale === 'co' ? couples?.co_co2 : gasScale === 'h2' ? couples?.h2_h2o : undefined;
  if (gasScale === 'none' || (gasScale !== 'pressure' && couple === undefined))
    return { lines: [], data: [], notes: [] };
  const temperatures = couples && couple ? couples.temperatures : [Math.max(1, min), max];
  const end = temperatures.at(-1) ?? max;
  /** kJ/mol per K, for one decade of pressure or two decades of a ratio. */
  const decade = KJ_PER_MOL_PER_EV / equilibriumLogPressure(1, 1);
  const gibbsOf = (exponent: number, temperature: number, index: number): number =>
    couple ? (couple[index] ?? 0) - 2 * exponent * decade * temperature : exponent * decade * temperature;
  const exponentAt = (gibbs: number): number =>
    couple ? ((couple.at(-1) ?? 0) - gibbs) / (2 * decade * end) : gibbs / (decade * end);
  const ends = [exponentAt(span.low), exponentAt(span.high)];
  const exponents = exponentsOf(Math.min(...ends), Math.max(...ends), isCompact ? 5 : 8);
  const lines = exponents.map((exponent) => ({
    x: [...temperatures],
    y: temperatures.map((temperature, index) => gibbsOf(exponent, temperature, index)),
  }));
  return {
    lines,
    data: lines.map(
      (line): Series => ({
        type: 'scatter',
        mode: 'lines',
        ...line,
        line: { color: colors.faint, width: 0.8 },
        opacity: 0.45,
        hoverinfo: 'skip',
        showlegend: false,
      }),
    ),
    notes: exponents.map(
      (exponent): Partial<Annotations> => ({
        text: power(exponent),
        xref: 'paper',
        x: 1,
        xshift: 4,
        xanchor: 'left',
        y: gibbsOf(exponent, end, temperatures.length - 1),
        yanchor: 'middle',
        showarrow: false,
        font: { size: 12, color: colors.faint },
      }),
    ),
  };
}

const logText = (value: number | null): string => (value === null ? '' : power(Math.round(value * 10) / 10));

function hoverTexts(
  line: EllinghamLineAnswer,
  gibbs: readonly number[],
  view: EllinghamView,
  texts: EllinghamFigureTexts,
) {
  return line.temperatures.map((temperature, index) => {
    const energy = gibbs[index] ?? 0;
    const { pressure, co, h2 } = readGases(view.result, temperature, energy);
    return [
      formulaText(line.equation),
      `${temperature.toFixed(0)} K, ${energy.toFixed(1).replace('-', '−')} kJ/mol`,
      `p(${texts.gas}) ${logText(pressure)} bar`,
      ...(co === null ? [] : [`CO/CO₂ ${logText(co)}`]),
      ...(h2 === null ? [] : [`H₂/H₂O ${logText(h2)}`]),
    ].join('<br>');
  });
}

/** The look of the lines of an element. If all colours are used, they are repeated with dotted lines. */
export const lookOf = (
  element: string,
  elements: readonly string[],
  series: readonly string[],
): { readonly color: string; readonly dash: 'solid' | 'dot' } => {
  const place = elements.indexOf(element);
  return { color: series[place % series.length] ?? '', dash: place < series.length ? 'solid' : 'dot' };
};

/** Name of a line: its product, and also the reactant if several lines have the same product. */
const nameOf = (
  line: EllinghamLineAnswer,
  lines: readonly EllinghamLineAnswer[],
  isCompact: boolean,
): string =>
  !isCompact && lines.some((other) => other !== line && other.product === line.product)
    ? `${formulaText(line.reactant)} → ${formulaText(line.product)}`
    : formulaText(line.product);

/** Maximum cost of the position of a name on a phone: names that cover other lines are omitted; the key has them all. */
const FEW_CROSSINGS = 18;

/** px */
const MARKED_WIDTH = 5;

/** Size in px assumed for the drawing while its real size is unknown. */
const SIZE = { wide: { width: 1160, height: 640 }, compact: { width: 330, height: 560 } } as const;

const MARGINS = {
  wide: { left: 76, right: 28, scale: 62, top: 34, bottom: 88 },
  compact: { left: 62, right: 12, scale: 40, top: 34, bottom: 84 },
} as const;

export function ellinghamFigure(
  view: EllinghamView,
  texts: EllinghamFigureTexts,
  colors: ChartColors,
  paper?: PaperSize,
): PlotFigure {
  const { result, reading, hasComputed, isCompact } = view;
  const { lines, temperature_min: min, temperature_max: max, elements } = result;
  const values = lines.flatMap(({ gibbs, computed }) => [
    ...gibbs,
    ...(hasComputed && computed ? computed.gibbs : []),
  ]);
  const [least, most] = [Math.min(...values), Math.max(...values, 0)];
  const room = 0.05 * (most - least || 100);
  const span = { low: least - room, high: most + room };
  const colorOf = (element: string): string => lookOf(element, elements, colors.series).color;
  const isMarked = (line: EllinghamLineAnswer): boolean => isOnLine(line, view.marked);
  const scale = scaleLines(view, span, colors);
  const margin = MARGINS[isCompact ? 'compact' : 'wide'];
  const right = view.gasScale === 'none' ? margin.right : margin.scale;
  const { width, height } = paper ?? SIZE[isCompact ? 'compact' : 'wide'];
  const names = lines.map((line) => nameOf(line, lines, isCompact));
  const computedLines = hasComputed ? lines.filter(({ computed }) => computed !== null) : [];
  const places = placeNames(
    lines.map(({ temperatures, gibbs }, index) => ({ text: names[index] ?? '', x: temperatures, y: gibbs })),
    {
      x: [min, max],
      y: [span.low, span.high],
      width: width - margin.left - right,
      height: height - margin.top - margin.bottom,
    },
    [
      ...scale.lines,
      ...computedLines.map(({ temperatures, computed }) => ({ x: temperatures, y: computed?.gibbs ?? [] })),
    ],
    isCompact ? FEW_CROSSINGS : undefined,
  );
  return {
    data: [
      ...scale.data,
      ...computedLines.flatMap((line) => {
        const { temperatures, computed, element } = line;
        // One band at a time: the bands of all lines would cover each other.
        return computed && computed.error !== null && isMarked(line)
          ? [bandOf(temperatures, computed.gibbs, computed.error, colorOf(element))]
          : [];
      }),
      ...computedLines.map(
        (line): Series => ({
          type: 'scatter',
          mode: 'lines',
          x: line.temperatures,
          y: line.computed?.gibbs ?? [],
          line: { color: colorOf(line.element), width: isMarked(line) ? 2 : 1, dash: 'dash' },
          opacity: isMarked(line) ? 1 : 0.55,
          hovertext: hoverTexts(line, line.computed?.gibbs ?? [], view, texts).map(
            (text) => `${text}<br>${texts.computed}`,
          ),
          hoverinfo: 'text',
          showlegend: false,
        }),
      ),
      ...lines.map(
        (line): Series => ({
          type: 'scatter',
          mode: 'lines',
          x: line.temperatures,
          y: line.gibbs,
          customdata: line.temperatures.map(() => line.product),
          line: {
            color: colorOf(line.element),
            width: isMarked(line) ? MARKED_WIDTH : 2,
            dash: lookOf(line.element, elements, colors.series).dash,
          },
          hovertext: hoverTexts(line, line.gibbs, view, texts),
          hoverinfo: 'text',
          showlegend: false,
        }),
      ),
      ...lines
        .filter(({ transitions }) => transitions.length > 0)
        .map(
          ({ transitions, element }): Series => ({
            type: 'scatter',
            mode: 'markers',
            x: transitions.map(({ temperature }) => temperature),
            y: transitions.map(({ gibbs }) => gibbs),
            marker: {
              size: 8,
              symbol: transitions.map(({ kind }) => PHASE_CHANGE_SYMBOLS[kind]),
              color: colorOf(element),
              line: { width: 1.5, color: colorOf(element) },
            },
            hovertext: transitions.map(
              ({ formula, kind, temperature }) =>
                `${texts.phaseChange(formula, kind)}<br>${temperature.toFixed(0)} K`,
            ),
            hoverinfo: 'text',
            showlegend: false,
          }),
        ),
    ],
    layout: {
      showlegend: false,
      hovermode: 'closest',
      margin: { l: margin.left, r: right, t: margin.top, b: margin.bottom },
      xaxis: {
        title: { text: texts.temperatureAxis },
        range: [min, max],
        ...(isCompact ? { nticks: 5 } : {}),
      },
      yaxis: { title: { text: texts.energyAxis }, range: [span.low, span.high] },
      shapes: [
        {
          type: 'line',
          x0: reading,
          x1: reading,
          yref: 'paper',
          y0: 0,
          y1: 1,
          line: { color: colors.highlight, width: 1.4, dash: 'dash' },
        },
      ],
      annotations: [
        ...scale.notes,
        ...lines.flatMap((line, index): Partial<Annotations>[] => {
          const place = places[index];
          if (!place) return [];
          const color = colorOf(line.element);
          return [{ ...place, text: names[index] ?? '', showarrow: false, font: { size: NAME_SIZE, color } }];
        }),
        ...(view.gasScale === 'none'
          ? []
          : [
              {
                text: { pressure: `p(${texts.gas})/bar`, co: 'CO/CO₂', h2: 'H₂/H₂O' }[view.gasScale],
                xref: 'paper' as const,
                yref: 'paper' as const,
                x: 1,
                xshift: right - 4,
                xanchor: 'right' as const,
                y: 1,
                yshift: 8,
                yanchor: 'bottom' as const,
                showarrow: false,
                font: { size: 12, color: colors.faint },
              },
            ]),
        provenanceNote(texts.provenance, 4 - margin.bottom, colors),
      ],
    },
  };
}
