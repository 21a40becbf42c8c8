/** The electrode search in the address, and the figure of voltage profiles. */
import type { Electrode, ElectrodeSearchRequest, ElectrodeSort } from '@unitcell/contract/electrodes';
import {
  ELECTRODE_PAGE,
  ELECTRODE_SORTS,
  MAX_COMPARED_ELECTRODES,
} from '@unitcell/contract/electrodes/rules';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { isElementSymbol } from '@unitcell/elements';
import { readView, type TableView, writeView } from '../../components/data-table/columns.tsx';
import { readScale, SCALE_PARAMETER } from '../../components/energy-scale/energy-scale.tsx';
import { formulaText } from '../../components/formula.tsx';
import { readNumber } from '../../lib/format.ts';
import { type ChartColors, provenanceNote } from '../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../viz/plot/plot-figure.ts';

/** Conditions as typed; an empty text is no condition. */
export interface Conditions {
  readonly ion: string;
  readonly voltageMin: string;
  readonly voltageMax: string;
  readonly capacityMin: string;
  readonly capacityMax: string;
  readonly aboveHull: string;
  readonly elements: string;
  readonly without: string;
  readonly framework: string;
}

/** Default limit in eV/atom above the hull, which the visitor can change: states above it are rarely made. */
const USUAL_ABOVE_HULL = '0.1';

export const NO_CONDITIONS: Conditions = {
  ion: WORKING_IONS[0],
  voltageMin: '',
  voltageMax: '',
  capacityMin: '',
  capacityMax: '',
  aboveHull: USUAL_ABOVE_HULL,
  elements: '',
  without: '',
  framework: '',
};

/** Parameter names of the conditions in the address. */
const PARAMETERS: Readonly<Record<keyof Conditions, string>> = {
  ion: 'ion',
  voltageMin: 'vmin',
  voltageMax: 'vmax',
  capacityMin: 'qmin',
  capacityMax: 'qmax',
  aboveHull: 'ehull',
  elements: 'with',
  without: 'without',
  framework: 'host',
};
const CONDITIONS = Object.keys(PARAMETERS) as (keyof Conditions)[];

const NUMBERS = ['voltageMin', 'voltageMax', 'capacityMin', 'capacityMax', 'aboveHull'] as const;

/** An electrode, identified by its ion and its discharged material or any other of its states. */
export interface Chosen {
  readonly struct_id: number;
  readonly ion: string;
}

export interface ElectrodesState {
  readonly conditions: Conditions;
  readonly scale: string | null;
  readonly view: TableView;
  readonly chosen: readonly Chosen[];
  /** Parts of `show` in the address that name no electrode, such as `LiFePO4`. */
  readonly unread: readonly string[];
}

const DEFAULT_SORT = { id: 'specific_energy', desc: true } as const;
export const PAGE_SIZE = 20;

export const keyOf = ({ struct_id, ion }: Chosen): string => `${ion}-${struct_id}`;

function readChosen(text: string | null): Pick<ElectrodesState, 'chosen' | 'unread'> {
  const parts = [...new Set((text ?? '').split(',').map((part) => part.trim()))].filter(Boolean);
  const chosen: Chosen[] = [];
  const unread: string[] = [];
  for (const part of parts) {
    const [ion = '', id = '', ...more] = part.split('-');
    const isIon = WORKING_IONS.some((known) => known === ion);
    if (isIon && /^\d{1,9}$/.test(id) && more.length === 0) chosen.push({ struct_id: Number(id), ion });
    else unread.push(part.slice(0, 20));
  }
  return {
    chosen: chosen.slice(0, MAX_COMPARED_ELECTRODES),
    unread: unread.slice(0, MAX_COMPARED_ELECTRODES),
  };
}

/** Parses the address. Invalid values fall back to their defaults. */
export function readState(parameters: URLSearchParams): ElectrodesState {
  const read: Record<keyof Conditions, string> = { ...NO_CONDITIONS };
  for (const name of CONDITIONS) read[name] = parameters.get(PARAMETERS[name]) ?? NO_CONDITIONS[name];
  const ion = WORKING_IONS.find((known) => known === read.ion) ?? NO_CONDITIONS.ion;
  return {
    conditions: { ...read, ion },
    scale: readScale(parameters),
    view: readView(parameters, DEFAULT_SORT),
    ...readChosen(parameters.get('show')),
  };
}

export function writeState({ conditions, scale, view, chosen, unread }: ElectrodesState): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const name of CONDITIONS)
    if (conditions[name] !== NO_CONDITIONS[name]) parameters.set(PARAMETERS[name], conditions[name].trim());
  if (scale !== null) parameters.set(SCALE_PARAMETER, scale);
  writeView(parameters, view, DEFAULT_SORT);
  const shown = [...chosen.map(keyOf), ...unread];
  if (shown.length > 0) parameters.set('show', shown.join(','));
  return parameters;
}

const isNumber = (text: string): boolean => text.trim() === '' || readNumber(text) !== null;

type Problem =
  | { readonly field: keyof Conditions; readonly key: 'notANumber' | 'upsideDown' }
  | { readonly field: keyof Conditions; readonly key: 'unknownElement'; readonly symbol: string };

/** Errors in the conditions that prevent a search, one per field. */
export function problemsOf(conditions: Conditions): readonly Problem[] {
  const problems: Problem[] = NUMBERS.filter((name) => !isNumber(conditions[name])).map((field) => ({
    field,
    key: 'notANumber',
  }));
  for (const [low, high] of [
    ['voltageMin', 'voltageMax'],
    ['capacityMin', 'capacityMax'],
  ] as const) {
    const [min, max] = [readNumber(conditions[low]), readNumber(conditions[high])];
    if (min !== null && max !== null && min > max) problems.push({ field: high, key: 'upsideDown' });
  }
  for (const field of ['elements', 'without'] as const) {
    const symbol = conditions[field].split(/[\s,;-]+/).find((one) => one !== '' && !isElementSymbol(one));
    if (symbol !== undefined) problems.push({ field, key: 'unknownElement', symbol: symbol.slice(0, 20) });
  }
  return problems;
}

const rangeOf = (min: string, max: string): [number | null, number | null] | undefined => {
  const range: [number | null, number | null] = [readNumber(min), readNumber(max)];
  return range.every((end) => end === null) ? undefined : range;
};

/** Columns that have another name in the API. */
const API_NAMES: Readonly<Record<string, ElectrodeSort>> = {
  discharged: 'formula',
  charged: 'charged_formula',
};

/** The API name of a sorted column. */
const sortOf = (id: string): ElectrodeSort | undefined =>
  API_NAMES[id] ?? ELECTRODE_SORTS.find((name) => name === id);

export function requestOf({ conditions, scale, view }: ElectrodesState): ElectrodeSearchRequest {
  const voltage = rangeOf(conditions.voltageMin, conditions.voltageMax);
  const capacity = rangeOf(conditions.capacityMin, conditions.capacityMax);
  const aboveHull = readNumber(conditions.aboveHull);
  const sort = view.sort ? sortOf(view.sort.id) : undefined;
  return {
    ion: conditions.ion,
    ...(voltage ? { voltage } : {}),
    ...(capacity ? { capacity } : {}),
    ...(aboveHull === null ? {} : { above_hull: aboveHull }),
    ...(conditions.elements.trim() === '' ? {} : { elements: conditions.elements.trim() }),
    ...(conditions.without.trim() === '' ? {} : { without: conditions.without.trim() }),
    ...(conditions.framework.trim() === '' ? {} : { framework: conditions.framework.trim() }),
    ...(sort ? { sort, ascending: view.sort?.desc === false } : {}),
    offset: PAGE_SIZE * view.page,
    limit: PAGE_SIZE,
    ...(scale ? { functional: scale } : {}),
  };
}

/** Maximum number of rows in a CSV. Larger results are available from the dumps and the API. */
export const MAX_CSV_ROWS = 10_000;

/** The requests for all results of a search, page by page. */
export const requestsOfAll = (state: ElectrodesState, results: number): ElectrodeSearchRequest[] =>
  Array.from({ length: Math.ceil(Math.min(results, MAX_CSV_ROWS) / ELECTRODE_PAGE.largest) }, (_, page) => ({
    ...requestOf(state),
    offset: page * ELECTRODE_PAGE.largest,
    limit: ELECTRODE_PAGE.largest,
  }));

/** Name of an electrode: `LiFePO4 – FePO4`. */
export const nameOf = ({
  formula,
  charged_formula,
}: Pick<Electrode, 'formula' | 'charged_formula'>): string =>
  `${formulaText(charged_formula)} – ${formulaText(formula)}`;

/** Corners of the voltage profile: capacity (mAh/g) and voltage (V), from the charged end. */
export function cornersOf({
  steps,
  capacity,
  charged_content: start,
  discharged_content: end,
}: Electrode): readonly (readonly [capacity: number, voltage: number])[] {
  const at = (content: number): number => (capacity * (content - start)) / (end - start);
  return steps.flatMap(({ from, to, voltage }) => [[at(from), voltage] as const, [at(to), voltage] as const]);
}

interface ProfileTexts {
  readonly capacityAxis: string;
  readonly voltageAxis: string;
  readonly provenance: string;
}

export function profileFigure(
  electrodes: readonly Electrode[],
  texts: ProfileTexts,
  colors: ChartColors,
  isCompact = false,
): PlotFigure {
  // The legend has three names per line, or one on a phone.
  const legendLines = electrodes.length > 1 ? Math.ceil(electrodes.length / (isCompact ? 1 : 3)) : 0;
  const curves = electrodes.map((electrode) => ({ electrode, corners: cornersOf(electrode) }));
  const top = Math.max(1, ...electrodes.map(({ max_voltage }) => max_voltage));
  const last = Math.max(...electrodes.map(({ capacity }) => capacity));
  return {
    data: curves.map(({ electrode, corners }, index) => ({
      type: 'scatter',
      mode: 'lines',
      name: `${nameOf(electrode)} (${electrode.ion})`,
      x: corners.map(([capacity]) => capacity),
      y: corners.map(([, voltage]) => voltage),
      hovertemplate: '%{x:.1f} mAh/g, %{y:.3f} V<extra></extra>',
      line: { color: colors.series[index % colors.series.length] ?? colors.ink, width: 2 },
      cliponaxis: false,
    })),
    layout: {
      showlegend: electrodes.length > 1,
      legend: { orientation: 'h', y: 1.02, yanchor: 'bottom', x: 0 },
      hovermode: 'closest',
      margin: { l: 64, r: 24, t: 24 + 22 * legendLines, b: 84 },
      xaxis: { title: { text: texts.capacityAxis }, range: [0, 1.04 * last] },
      yaxis: { title: { text: texts.voltageAxis }, range: [0, 1.1 * top] },
      annotations: [provenanceNote(texts.provenance, -80, colors)],
    },
  };
}
