/** Form state of a search, and display of candidates. */
import type { DesignCandidate, DesignRequest } from '@unitcell/contract/design';
import type { Data } from 'plotly.js';
import { type Conditions, conditionsOfText, textOfConditions } from '../../components/filter/conditions.ts';
import { formulaText } from '../../components/formula.tsx';
import { hasInterval } from '../../lib/predicted-interval.ts';
import type { ChartColors } from '../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../viz/plot/plot-figure.ts';

/** State of the form. */
export interface DesignForm {
  readonly allowed: readonly string[];
  readonly required: readonly string[];
  readonly nelements: number;
  /** Null: the default of the search. */
  readonly atoms: number | null;
  readonly candidates: number | null;
  readonly filter: string;
  readonly includeKnown: boolean;
  readonly relax: boolean;
}

/** Toxic or radioactive elements that users may want to exclude. */
const TOXIC = ['Be', 'As', 'Cd', 'Hg', 'Tl', 'Pb', 'Po', 'Ra', 'Th', 'U', 'Pu'];

/** Conditions available by one click. */
export const PRESETS = {
  noToxic: `NOT elements HAS ANY ${TOXIC.map((symbol) => `"${symbol}"`).join(', ')}`,
  insulator: 'predicted_band_gap >= 2',
  likely: 'probability_within_50_mev >= 0.5',
  window: 'oxidation_onset_li >= 4',
} as const;
export type Preset = keyof typeof PRESETS;

const isPreset =
  (preset: Preset) =>
  (condition: Conditions[number]): boolean =>
    textOfConditions([condition]) === textOfConditions(conditionsOfText(PRESETS[preset]) ?? []);

export const hasPreset = (filter: string, preset: Preset): boolean =>
  conditionsOfText(filter)?.some(isPreset(preset)) === true;

export function togglePreset(filter: string, preset: Preset): string {
  const now = conditionsOfText(filter);
  // Text that does not parse as a filter yet is kept.
  if (now === null) return `${filter.trim()} AND ${PRESETS[preset]}`;
  const others = now.filter((condition) => !isPreset(preset)(condition));
  return textOfConditions(
    others.length < now.length ? others : [...now, ...(conditionsOfText(PRESETS[preset]) ?? [])],
  );
}

/** Cycles off → allowed → required → off. */
export function toggleElement(form: DesignForm, symbol: string): DesignForm {
  const without = (list: readonly string[]): readonly string[] => list.filter((each) => each !== symbol);
  if (form.required.includes(symbol)) return { ...form, required: without(form.required) };
  if (form.allowed.includes(symbol))
    return { ...form, allowed: without(form.allowed), required: [...form.required, symbol] };
  return { ...form, allowed: [...form.allowed, symbol] };
}

export const requestOf = (form: DesignForm): DesignRequest => ({
  elements: [...form.allowed, ...form.required],
  ...(form.required.length > 0 ? { required: [...form.required] } : {}),
  nelements: form.nelements,
  ...(form.atoms === null ? {} : { max_atoms: form.atoms }),
  ...(form.candidates === null ? {} : { candidates: form.candidates }),
  ...(form.filter.trim() === '' ? {} : { filter: form.filter }),
  include_known: form.includeKnown,
  relax: form.relax,
});

export const formOf = (request: DesignRequest, empty: DesignForm): DesignForm => ({
  required: request.required ?? [],
  allowed: request.elements.filter((symbol) => !(request.required ?? []).includes(symbol)),
  nelements: request.nelements,
  atoms: request.max_atoms ?? empty.atoms,
  candidates: request.candidates ?? empty.candidates,
  filter: request.filter ?? '',
  includeKnown: request.include_known ?? false,
  relax: request.relax ?? true,
});

/** Maximum number of candidates drawn; more bars would be indistinguishable. */
const DRAWN = 40;
const milli = (energy: number): number => Math.round(1e4 * energy) / 10;

/**
 * Predicted intervals as bars over the rank of the candidates, the hull as a line, and up to 50 meV/atom above it as a
 * band.
 */
export function candidateFigure(
  candidates: readonly DesignCandidate[],
  names: { readonly rank: string; readonly hull: string; readonly notRelaxed: string },
  colors: ChartColors,
): PlotFigure {
  const drawn = candidates.slice(0, DRAWN);
  const energies = drawn.map(({ energy_above_hull: energy }) => milli(energy));
  // A bar of NaN is not drawn.
  const spans = drawn.map(({ predicted }) => {
    const { value, high } = predicted.formation_energy_per_atom;
    return hasInterval(predicted, 'formation_energy_per_atom') ? milli(high - value) : NaN;
  });
  const points = (isHigh: boolean): Data => {
    const places = drawn.flatMap(({ probability_within_50_mev: chance }, index) =>
      chance >= 0.5 === isHigh ? [index] : [],
    );
    return {
      type: 'scatter',
      mode: 'markers',
      x: places.map((index) => drawn[index]!.rank),
      y: places.map((index) => energies[index]!),
      error_y: {
        type: 'data',
        array: places.map((index) => spans[index]!),
        thickness: 1.2,
        width: 3,
        color: colors.faint,
      },
      customdata: places.map((index) => drawn[index]!.rank),
      hovertext: places.map(
        (index) =>
          `${drawn[index]!.rank}. ${formulaText(drawn[index]!.formula)}: ${energies[index]} meV/atom`,
      ),
      hoverinfo: 'text',
      showlegend: false,
      marker: {
        size: 9,
        color: isHigh ? colors.stable : colors.surface,
        line: { color: isHigh ? colors.stable : colors.unstable, width: 1.6 },
      },
    };
  };
  // Candidates that were not relaxed are ranked after all others, whatever their energy.
  const behind = drawn.find(({ relaxation }) => relaxation === null);
  const edge = drawn[0]?.relaxation && behind ? behind.rank - 0.5 : null;
  return {
    data: [points(true), points(false)],
    layout: {
      xaxis: {
        range: [0.3, Math.max(2, drawn.length) + 0.7],
        dtick: drawn.length > 12 ? 5 : 1,
        tickformat: 'd',
        title: { text: names.rank },
      },
      yaxis: { title: { text: names.hull } },
      shapes: [
        {
          type: 'rect',
          xref: 'paper',
          x0: 0,
          x1: 1,
          y0: 0,
          y1: 50,
          fillcolor: colors.stable,
          opacity: 0.08,
          line: { width: 0 },
        },
        { type: 'line', xref: 'paper', x0: 0, x1: 1, y0: 0, y1: 0, line: { color: colors.ink, width: 1.2 } },
        ...(edge === null
          ? []
          : [
              {
                type: 'line' as const,
                yref: 'paper' as const,
                x0: edge,
                x1: edge,
                y0: 0,
                y1: 1,
                line: { color: colors.faint, width: 1, dash: 'dot' as const },
              },
            ]),
      ],
      annotations:
        edge === null
          ? []
          : [
              {
                x: edge,
                yref: 'paper',
                y: 1,
                xanchor: 'left',
                yanchor: 'top',
                text: names.notRelaxed,
                showarrow: false,
                font: { size: 12, color: colors.faint },
              },
            ],
      margin: { l: 72, r: 20, t: 16, b: 52 },
    },
  };
}
