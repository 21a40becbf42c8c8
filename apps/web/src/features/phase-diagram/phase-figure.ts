/** The drawing of a phase diagram: a line, a triangle or a tetrahedron. */
import type { Data, PlotData } from 'plotly.js';
import { formulaText } from '../../components/formula.tsx';
import type { ChartColors } from '../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../viz/plot/plot.tsx';
import { type Pixel, placeLabels, type Side } from './label-places.ts';
import { layoutOf, type PhaseFigureInput, pixelsPerUnit, type Place, SMALLEST_RANGE } from './phase-axes.ts';
import { edges, tiesOf } from './quaternary.ts';
import { type Spot, spreadPoints } from './spread-points.ts';
import type { Diagram, Phase } from './view-model.ts';

/** With more labels than this the names hide the points: on a plane, in space. */
const MOST_LABELS = { 2: 40, 3: 24 } as const;

const hoverText = (phase: Phase, { texts }: PhaseFigureInput): string =>
  [
    `<b>${formulaText(phase.formula)}</b> ${phase.spaceGroup}${phase.id === null ? '' : ` · ${phase.id}`}`,
    `${texts.formation} ${phase.formationEnergy.toFixed(3)} eV/atom`,
    ...(phase.isStable
      ? []
      : [`${texts.aboveHull} ${phase.aboveHull.toFixed(3)} eV/atom`, `→ ${phase.decomposition}`]),
  ].join('<br>');

/** A trace in the plane or in space. */
const trace = (is3d: boolean, places: readonly (Place | null)[], own: Partial<PlotData>): Data => ({
  type: is3d ? 'scatter3d' : 'scatter',
  x: places.map((place) => place?.x ?? null),
  y: places.map((place) => place?.y ?? null),
  ...(is3d ? { z: places.map((place) => place?.z ?? null) } : {}),
  ...own,
});

/** The unstable phases where they are drawn: beside what they would lie under. Nearest to the hull first. */
function drawnUnstable(input: PhaseFigureInput): readonly Phase[] {
  const { diagram, unstable } = input;
  const per = pixelsPerUnit(input);
  const spotOf = ({ x, y, z }: Place): Spot => [x * per.x, y * per.y, z * per.x];
  const nearest = [...unstable].sort((a, b) => a.aboveHull - b.aboveHull);
  const { length } = diagram.components;
  const spots = spreadPoints(
    diagram.stable.map(spotOf),
    nearest.map(spotOf),
    length === 2 ? 'aside' : length === 3 ? 'around' : 'inSpace',
    length === 2 ? ([x]) => x > -1 && x < per.x + 1 : undefined,
  );
  return nearest.map((phase, index) => {
    const [x, y, z] = spots[index] ?? spotOf(phase);
    return { ...phase, x: x / per.x, y: y / per.y, z: z / per.x };
  });
}

/** From where a point is drawn to where it belongs, for those that gave way. */
function leaders(drawn: readonly Phase[], unstable: readonly Phase[]): (Place | null)[] {
  const own = new Map(unstable.map((phase) => [phase.key, phase]));
  return drawn.flatMap((phase) => {
    const home = own.get(phase.key);
    const hasMoved = home && (home.x !== phase.x || home.y !== phase.y || home.z !== phase.z);
    return hasMoved ? [home, phase, null] : [];
  });
}

/** Sides of the labels in the plane: of the stable phases in their order, then of the own one where that is none of them. */
function labelSides(
  input: PhaseFigureInput,
  names: ReadonlySet<Phase>,
  ownPlace: Place | null,
): readonly Side[] {
  const { diagram, own } = input;
  const per = pixelsPerUnit(input);
  const pixel = (x: number, y: number): Pixel => ({ x: x * per.x, y: y * per.y });
  const lines = diagram.lines.flatMap(({ x, y }) =>
    x.slice(1).map((end, i) => [pixel(x[i] ?? 0, y[i] ?? 0), pixel(end, y[i + 1] ?? 0)] as const),
  );
  const stable = diagram.stable.map((phase) => ({
    ...pixel(phase.x, phase.y),
    label: names.has(phase) ? formulaText(phase.formula) : '',
  }));
  const last = own && ownPlace ? [{ ...pixel(ownPlace.x, ownPlace.y), label: formulaText(own.formula) }] : [];
  return placeLabels([...stable, ...last], lines);
}

/** A side per label: plotly.js takes a list, its types do not say so. */
const sidesOf = (sides: readonly Side[]): Partial<PlotData> => ({ textposition: sides as unknown as Side });

/** All hull lines as one: a gap after each. */
const linePlaces = ({ lines }: Diagram): (Place | null)[] =>
  lines.flatMap(({ x, y, z }) => [
    ...x.map((value, i) => ({ x: value, y: y[i] ?? 0, z: z?.[i] ?? 0 })),
    null,
  ]);

/** Where not all phases can be named, the corners are. */
const cornerNames = ({ corners }: Diagram, colors: ChartColors, is3d: boolean): Data =>
  trace(
    is3d,
    corners.map(({ x, y, z }) => ({ x, y, z: z ?? 0 })),
    {
      mode: 'text',
      text: corners.map(({ text }) => `<b>${formulaText(text)}</b>`),
      textposition: 'top center',
      textfont: { size: 15, color: colors.ink },
      hoverinfo: 'skip',
      showlegend: false,
    },
  );

/** The stable phases that are named: all where there is room; else those about one phase, the pointed or the own one. */
function named({ diagram, highlighted, own }: PhaseFigureInput, is3d: boolean): readonly Phase[] {
  if (diagram.stable.length <= MOST_LABELS[is3d ? 3 : 2]) return diagram.stable;
  const focus = highlighted ?? own;
  if (focus === null) return [];
  const about = is3d ? tiesOf(diagram, focus).partners : nearestTo(diagram.stable, focus);
  return [...new Set([...(focus.isStable ? [focus] : []), ...about])];
}

/** Of more than can be named in the plane, so many about the pointer are. */
const NAMED_ABOUT = 12;

const nearestTo = (phases: readonly Phase[], { x, y }: Place): readonly Phase[] =>
  phases
    .toSorted((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y))
    .slice(0, NAMED_ABOUT);

/** Hollow on the hull, filled the more the farther above it. */
const aboveHullMarker = (
  phases: readonly Phase[],
  { texts, isUnstableShown }: PhaseFigureInput,
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
  showscale: isUnstableShown && phases.length > 0,
  colorbar: {
    title: { text: `${texts.aboveHull} (eV/atom)`, side: 'right', font: { size: 11 } },
    thickness: 8,
    len: 0.6,
    x: 1,
    xpad: 4,
    tickfont: { size: 11 },
    outlinewidth: 0.5,
  },
  size: is3d ? 5 : 9,
  symbol: 'circle',
  line: { color: colors.unstable, width: is3d ? 1 : 1.4 },
});

function traces(input: PhaseFigureInput, colors: ChartColors, is3d: boolean): Data[] {
  const { diagram, unstable, isUnstableShown, highlighted, own, placed, texts } = input;
  const names = new Set(named(input, is3d));
  const ties = is3d ? tiesOf(diagram, highlighted?.isStable ? highlighted : own) : null;
  const points = (phases: readonly Phase[], look: Partial<PlotData>): Data =>
    trace(is3d, phases, {
      hovertext: phases.map((phase) => hoverText(phase, input)),
      hoverinfo: 'text',
      customdata: phases.map(({ key }) => key),
      ...look,
    });
  const isLabelled = diagram.stable.length <= MOST_LABELS[is3d ? 3 : 2];
  const drawn = drawnUnstable(input);
  const ownPlace = own && !own.isStable ? (drawn.find(({ key }) => key === own.key) ?? own) : null;
  const sides = is3d ? [] : labelSides(input, names, ownPlace);
  const pointed = drawn.find(({ key }) => key === highlighted?.key) ?? highlighted;
  return [
    trace(is3d, ties ? edges(diagram) : linePlaces(diagram), {
      mode: 'lines',
      line: { color: is3d ? colors.faint : colors.ink, width: is3d ? 1.5 : 1.3 },
      hoverinfo: 'skip',
      showlegend: false,
    }),
    points(drawn, {
      name: texts.unstable,
      mode: 'markers',
      visible: isUnstableShown ? true : 'legendonly',
      marker: aboveHullMarker(drawn, input, colors, is3d),
    }),
    points(diagram.stable, {
      name: texts.stable,
      mode: names.size > 0 ? 'text+markers' : 'markers',
      text: diagram.stable.map((phase) =>
        !names.has(phase)
          ? ''
          : phase === own
            ? `<b>${formulaText(phase.formula)}</b>`
            : formulaText(phase.formula),
      ),
      ...(is3d ? { textposition: 'top center' } : sidesOf(sides)),
      textfont: { size: 12, color: colors.ink },
      marker: { color: colors.stable, size: is3d ? 5 : 8 },
      cliponaxis: false,
    }),
    ...(isLabelled ? [] : [cornerNames(diagram, colors, is3d)]),
    trace(is3d, leaders(drawn, unstable), {
      mode: 'lines',
      visible: isUnstableShown,
      line: { color: colors.unstable, width: 1 },
      hoverinfo: 'skip',
      showlegend: false,
    }),
    ...(ties
      ? [
          trace(is3d, ties.lines, {
            mode: 'lines',
            line: { color: colors.series[0] ?? colors.ink, width: 3 },
            hoverinfo: 'skip',
            showlegend: false,
          }),
        ]
      : []),
    ...(own
      ? [
          trace(is3d, [ownPlace ?? own], {
            name: texts.own,
            mode: own.isStable ? 'markers' : 'text+markers',
            text: [`<b>${formulaText(own.formula)}</b>`],
            textposition: sides.at(-1) ?? 'bottom center',
            textfont: { size: 12, color: colors.ink },
            hoverinfo: 'skip',
            marker: {
              color: colors.series[0] ?? colors.ink,
              size: is3d ? 11 : 15,
              symbol: 'diamond-open',
              line: { color: colors.series[0] ?? colors.ink, width: 2.5 },
            },
          }),
        ]
      : []),
    ...(placed
      ? [
          trace(is3d, [placed], {
            name: texts.placed,
            mode: 'text+markers',
            text: [placed.label],
            textposition: 'bottom center',
            hoverinfo: 'name',
            marker: { color: colors.highlight, size: is3d ? 7 : 13, symbol: 'diamond' },
          }),
        ]
      : []),
    trace(is3d, pointed ? [pointed] : [], {
      mode: 'markers',
      hoverinfo: 'skip',
      showlegend: false,
      marker: {
        color: colors.highlight,
        size: is3d ? 12 : 18,
        symbol: 'circle-open',
        line: { color: colors.highlight, width: 3 },
      },
    }),
  ];
}

export function phaseFigure(input: PhaseFigureInput, colors: ChartColors): PlotFigure {
  const is3d = input.diagram.components.length === 4;
  return { data: traces(input, colors, is3d), layout: layoutOf(input, colors) };
}
