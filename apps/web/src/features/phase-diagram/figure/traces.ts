/** The traces of a phase diagram: hull, labelled phases, and highlights. */
import type { Annotations, Data, Layout, PlotData } from 'plotly.js';
import { formulaText } from '../../../components/formula.tsx';
import { formatNumber } from '../../../lib/format.ts';
import { type ChartColors, provenanceNote } from '../../../viz/plot/chart-theme.ts';
import { TICK_FORMATS } from '../../../viz/plot/axis-ticks.ts';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';
import type { Phase } from '../view-model.ts';
import { inSpace, sceneOf } from './eye.ts';
import {
  energyRange,
  LINE_X,
  linePlaces,
  type PhaseFigureInput,
  type Place,
  SMALLEST_RANGE,
  stacksOf,
  TRIANGLE_X,
  TRIANGLE_Y,
} from './places.ts';
import {
  awayNames,
  CORNER_SIZE,
  cornerSides,
  edges,
  labelPlaces,
  MOST_LABELS,
  named,
  onPlane,
  planeOptions,
  sidesOf,
  sizeInSpace,
  spaceOptions,
  tiesOf,
} from './labels.ts';

/** Space in px below the axis of a binary, the triangle or the tetrahedron, with the provenance at the bottom. */
const bottomMargin = ({ length }: readonly string[]): number => (length === 2 ? 88 : 24);

const HIDDEN_AXIS = {
  visible: false,
  showgrid: false,
  zeroline: false,
  showline: false,
  mirror: false as const,
  showbackground: false,
  showspikes: false,
};

/** Axis title: `x in Ti₁₋ₓOₓ`. Between compounds, x is a fraction of atoms, not of formula units. */
function fractionTitle({ diagram: { components }, texts }: PhaseFigureInput): string {
  const areElements = components.every((component) => /^[A-Z][a-z]?$/.test(component));
  const part = (component: string): string => (areElements ? component : `(${formulaText(component)})`);
  const [from = '', to = ''] = components.map(part);
  const mixture = `${from}<sub>1−<i>x</i></sub>${to}<sub><i>x</i></sub>`;
  return (areElements ? texts.fractionAxis : texts.shareAxis).replace('{formula}', mixture);
}

/** px at the right for the colour scale of the unstable phases. */
export const SCALE_WIDTH = 84;

export const hasScale = ({ isUnstableShown, isCompact }: PhaseFigureInput): boolean =>
  isUnstableShown && isCompact !== true;

function layoutOf(input: PhaseFigureInput, colors: ChartColors): Partial<Layout> {
  const { diagram, texts } = input;
  const margin = bottomMargin(diagram.components);
  const scaleMargin = hasScale(input) ? SCALE_WIDTH : 0;
  const shared: Partial<Layout> = {
    hovermode: 'closest',
    showlegend: true,
    legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom', traceorder: 'reversed' },
    annotations: [provenanceNote(texts.provenance, 4 - margin, colors)],
    uirevision: diagram.title,
    margin: { l: 64, r: Math.max(24, scaleMargin), t: 44, b: margin },
  };
  const { length } = diagram.components;
  if (length === 2)
    return {
      ...shared,
      xaxis: { title: { text: fractionTitle(input) }, range: [...LINE_X] },
      yaxis: { title: { text: texts.energyAxis }, range: [...energyRange(input)] },
    };
  if (length === 3)
    return {
      ...shared,
      margin: { l: 8, r: Math.max(8, scaleMargin), t: 44, b: margin },
      xaxis: { ...HIDDEN_AXIS, range: [...TRIANGLE_X] },
      yaxis: { ...HIDDEN_AXIS, range: [...TRIANGLE_Y], scaleanchor: 'x' },
    };
  return {
    ...shared,
    // Sizes in space and in the plane differ: markers of 5 are drawn three times as large as in the legend.
    legend: { ...shared.legend, itemsizing: 'constant' },
    margin: { l: 8, r: Math.max(8, scaleMargin), t: 44, b: margin },
    scene: { xaxis: HIDDEN_AXIS, yaxis: HIDDEN_AXIS, zaxis: HIDDEN_AXIS, ...sceneOf(input) },
  };
}

/** The drawing of a phase diagram: a line, a triangle or a tetrahedron. */
export function phaseFigure(input: PhaseFigureInput, colors: ChartColors): PlotFigure {
  const is3d = input.diagram.components.length === 4;
  const { data, awayLabels } = traces(input, colors, is3d);
  const layout = layoutOf(input, colors);
  return { data, layout: { ...layout, annotations: [...(layout.annotations ?? []), ...awayLabels] } };
}

/** A trace in the plane or in space. */
const trace = (is3d: boolean, places: readonly (Place | null)[], own: Partial<PlotData>): Data => ({
  type: is3d ? 'scatter3d' : 'scatter',
  x: places.map((place) => place?.x ?? null),
  y: places.map((place) => place?.y ?? null),
  ...(is3d ? { z: places.map((place) => place?.z ?? null) } : {}),
  ...own,
});

/** Lines without hover. */
const lines = (
  is3d: boolean,
  places: readonly (Place | null)[],
  line: { readonly color: string; readonly width: number },
): Data => trace(is3d, places, { mode: 'lines', line, hoverinfo: 'skip', showlegend: false });

/** Maximum number of overlapping phases listed in a tooltip; the table has all. */
const MAX_LISTED = 10;

const nameOf = ({ formula, spaceGroup, id }: Phase): string =>
  `<b>${formulaText(formula)}</b> ${spaceGroup.replaceAll(/_(\d)/g, '<sub>$1</sub>')}${id === null ? '' : ` · ${id}`}`;

const onePhase = (phase: Phase, { texts }: PhaseFigureInput): string =>
  [
    nameOf(phase),
    `${texts.formation} ${formatNumber(phase.formationEnergy)} eV/atom`,
    ...(phase.gibbs?.isUndecided ? [texts.undecided] : []),
    ...(phase.isStable
      ? []
      : [
          `${texts.aboveHull} ${formatNumber(phase.aboveHull)}${
            phase.gibbs ? ` ± ${formatNumber(phase.gibbs.error)}` : ''
          } eV/atom`,
          `→ ${phase.decomposition.split(' ').map(formulaText).join(' ')}`,
        ]),
  ].join('<br>');

/** Tooltip of a point: its phase, or one line for each overlapping phase. */
function hoverText(phase: Phase, stack: readonly Phase[], input: PhaseFigureInput): string {
  if (stack.length < 2) return onePhase(phase, input);
  const { stable, aboveHull, more } = input.texts;
  const rest = stack.length - MAX_LISTED;
  return [
    ...stack
      .slice(0, MAX_LISTED)
      .map((each) =>
        each.isStable
          ? `${nameOf(each)}: ${stable}`
          : `${nameOf(each)}: ${aboveHull} ${formatNumber(each.aboveHull)} eV/atom`,
      ),
    ...(rest > 0 ? [more.replace('{n}', String(rest))] : []),
  ].join('<br>');
}

/** Points with hover and click. */
const points = (
  is3d: boolean,
  phases: readonly Phase[],
  stacks: ReadonlyMap<Phase, readonly Phase[]>,
  input: PhaseFigureInput,
  look: Partial<PlotData>,
): Data =>
  trace(is3d, phases, {
    // Hidden phases get no texts, because texts for a thousand phases would take longer than the drawing.
    hovertext:
      look.visible === 'legendonly'
        ? []
        : phases.map((phase) => hoverText(phase, stacks.get(phase) ?? [], input)),
    hoverinfo: 'text',
    customdata: phases.map(({ key }) => key),
    ...look,
  });

/** Names of the corners, for diagrams in which not all phases can be labelled. */
function cornerNames(input: PhaseFigureInput, colors: ChartColors, is3d: boolean): Data {
  const { corners } = input.diagram;
  const places = corners.map(({ x, y, z }) => ({ x, y, z: z ?? 0 }));
  return trace(is3d, places, {
    mode: 'text',
    text: corners.map(({ text }) => `<b>${formulaText(text)}</b>`),
    ...sidesOf(is3d ? cornerSides(input, inSpace(input)) : []),
    textfont: { size: CORNER_SIZE, color: colors.ink },
    hoverinfo: 'skip',
    showlegend: false,
  });
}

/** Phases whose stability is undecided are squares, others circles. */
const symbolsOf = (phases: readonly Phase[]): string[] =>
  phases.map(({ gibbs }) => (gibbs?.isUndecided ? 'square' : 'circle'));

/** Markers of unstable phases: hollow on the hull, more filled the higher the energy above it. */
const aboveHullMarker = (
  phases: readonly Phase[],
  input: PhaseFigureInput,
  colors: ChartColors,
  is3d: boolean,
): NonNullable<PlotData['marker']> => ({
  color: phases.map(({ aboveHull }) => aboveHull),
  cmin: 0,
  cmax: Math.max(SMALLEST_RANGE, ...phases.map(({ aboveHull }) => aboveHull)),
  colorscale: [
    [0, colors.surface],
    [1, colors.unstable],
  ],
  showscale: hasScale(input) && phases.length > 0,
  colorbar: {
    title: { text: `${input.texts.aboveHull} (eV/atom)`, side: 'right', font: { size: 11 } },
    thickness: 8,
    len: 0.6,
    x: 1,
    xpad: 4,
    tickfont: { size: 11 },
    tickformatstops: TICK_FORMATS,
    outlinewidth: 0.5,
  },
  size: is3d ? sizeInSpace(input) : 9,
  symbol: symbolsOf(phases),
  line: { color: colors.unstable, width: is3d ? 1 : 1.4 },
});

/** The page's phase: a diamond around its point, and its name if no stable phase has a label there. */
const ownMark = (
  is3d: boolean,
  own: Phase,
  textposition: PlotData['textposition'],
  { texts }: PhaseFigureInput,
  colors: ChartColors,
): Data => {
  const [color = colors.ink] = colors.series;
  return trace(is3d, [own], {
    name: texts.own,
    mode: own.isStable ? 'markers' : 'text+markers',
    text: [`<b>${formulaText(own.formula)}</b>`],
    textposition,
    textfont: { size: 12, color: colors.ink },
    hoverinfo: 'skip',
    marker: { color, size: is3d ? 11 : 15, symbol: 'diamond-open', line: { color, width: 2.5 } },
  });
};

const placedMark = (
  is3d: boolean,
  placed: NonNullable<PhaseFigureInput['placed']>,
  { texts }: PhaseFigureInput,
  colors: ChartColors,
): Data =>
  trace(is3d, [placed], {
    name: texts.placed,
    mode: 'text+markers',
    text: [placed.label],
    textposition: 'bottom center',
    hoverinfo: 'name',
    marker: { color: colors.highlight, size: is3d ? 7 : 13, symbol: 'diamond' },
  });

/** A ring around the phase that is highlighted in the drawing or in the table. */
const pointedRing = (is3d: boolean, pointed: Place | null, { highlight }: ChartColors): Data =>
  trace(is3d, pointed ? [pointed] : [], {
    mode: 'markers',
    hoverinfo: 'skip',
    showlegend: false,
    marker: {
      color: highlight,
      size: is3d ? 12 : 18,
      symbol: 'circle-open',
      line: { color: highlight, width: 3 },
    },
  });

function traces(
  input: PhaseFigureInput,
  colors: ChartColors,
  is3d: boolean,
): { readonly data: Data[]; readonly awayLabels: Partial<Annotations>[] } {
  const { diagram, unstable, isUnstableShown, highlighted, own, placed, texts } = input;
  const names = new Set(named(input, is3d));
  const stacks = stacksOf([...diagram.stable, ...(isUnstableShown ? unstable : [])], input);
  const ownPlace = own && !own.isStable ? own : null;
  const tieLines = is3d ? tiesOf(diagram, highlighted?.isStable ? highlighted : own).lines : [];
  const crossed = tieLines.length > 0 ? tieLines : edges(diagram);
  const hasCornerNames = diagram.stable.length > MOST_LABELS[is3d ? 3 : 2];
  const pixel = is3d ? inSpace(input) : onPlane(input);
  const places = is3d
    ? labelPlaces(input, names, ownPlace, crossed, pixel, spaceOptions(input, pixel, hasCornerNames))
    : labelPlaces(input, names, ownPlace, linePlaces(diagram), pixel, planeOptions(input, pixel));
  const labelOf = (phase: Phase): string =>
    phase === own ? `<b>${formulaText(phase.formula)}</b>` : formulaText(phase.formula);
  const awayLabels = awayNames(diagram.stable, places, labelOf, colors);
  const besideOwn = places.at(-1);
  const data = [
    is3d
      ? lines(is3d, edges(diagram), { color: colors.faint, width: 1.5 })
      : lines(is3d, linePlaces(diagram), { color: colors.ink, width: 1.3 }),
    points(is3d, unstable, stacks, input, {
      name: texts.unstable,
      mode: 'markers',
      visible: isUnstableShown ? true : 'legendonly',
      marker: aboveHullMarker(unstable, input, colors, is3d),
    }),
    points(is3d, diagram.stable, stacks, input, {
      name: texts.stable,
      mode: names.size > 0 ? 'text+markers' : 'markers',
      text: diagram.stable.map((phase, i) =>
        names.has(phase) && typeof places[i] === 'string' ? labelOf(phase) : '',
      ),
      ...sidesOf(places),
      textfont: { size: 12, color: colors.ink },
      marker: {
        color: colors.stable,
        size: is3d ? sizeInSpace(input) : 8,
        symbol: symbolsOf(diagram.stable),
      },
      cliponaxis: false,
    }),
    ...(hasCornerNames ? [cornerNames(input, colors, is3d)] : []),
    ...(is3d ? [lines(is3d, tieLines, { color: colors.series[0] ?? colors.ink, width: 3 })] : []),
    ...(own
      ? [ownMark(is3d, own, typeof besideOwn === 'string' ? besideOwn : 'bottom center', input, colors)]
      : []),
    ...(placed ? [placedMark(is3d, placed, input, colors)] : []),
    pointedRing(is3d, highlighted, colors),
  ];
  return { data, awayLabels };
}
