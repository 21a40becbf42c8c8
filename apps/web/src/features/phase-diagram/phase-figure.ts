/** The drawing of a phase diagram: a line, a triangle or a tetrahedron. */
import type { Annotations, Data, Layout, PlotData } from 'plotly.js';
import { formulaText } from '../../components/formula.tsx';
import type { ChartColors } from '../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../viz/plot/plot.tsx';
import { type Pixel, placeLabels, type Side } from './label-places.ts';
import { edges, tiesOf } from './quaternary.ts';
import { type Spot, spreadPoints } from './spread-points.ts';
import type { Diagram, Phase } from './view-model.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface PhaseFigureInput {
  readonly diagram: Diagram;
  /** Unstable phases to draw. */
  readonly unstable: readonly Phase[];
  readonly isUnstableShown: boolean;
  readonly highlighted: Phase | null;
  /** The material whose page the diagram is on, or that led to it. */
  readonly own: Phase | null;
  /** Size of the drawing without its margins, px. */
  readonly frame: { readonly width: number; readonly height: number };
  readonly placed: (Place & { readonly label: string }) | null;
  readonly texts: {
    readonly stable: string;
    readonly unstable: string;
    readonly placed: string;
    readonly own: string;
    /** Title of the axis of a binary, with `{formula}` for its components as a mixture. */
    readonly fractionAxis: string;
    readonly shareAxis: string;
    readonly energyAxis: string;
    readonly aboveHull: string;
    readonly formation: string;
    /** Scale and release. */
    readonly provenance: string;
  };
}

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

/** Ranges of the axes of a triangle, in its coordinates. */
const TRIANGLE_X = [-0.1, 1.1] as const;
const TRIANGLE_Y = [-0.09, 0.97] as const;
/** eV/atom: a hull without depth is drawn as wide as this. */
const SMALLEST_RANGE = 0.1;
const LINE_X = [-0.03, 1.03] as const;

/** Energies a binary shows, with room for the labels above and below: all that is drawn. */
function energyRange({
  diagram,
  unstable,
  isUnstableShown,
  placed,
}: PhaseFigureInput): readonly [number, number] {
  const drawn = [...diagram.stable, ...(isUnstableShown ? unstable : []), ...(placed ? [placed] : [])];
  const energies = drawn.map(({ y }) => y);
  const [low, high] = [Math.min(0, ...energies), Math.max(0, ...energies)];
  const room = 0.12 * Math.max(high - low, SMALLEST_RANGE);
  return [low - room, high + room];
}

/** px per edge of the tetrahedron, about. */
const TETRAHEDRON_PX = 460;

/** px per unit of either axis, for the drawing as it is before anybody zooms. */
function pixelsPerUnit(input: PhaseFigureInput): Pixel {
  const { diagram, frame } = input;
  const { length } = diagram.components;
  if (length === 4) return { x: TETRAHEDRON_PX, y: TETRAHEDRON_PX };
  const isTriangle = length === 3;
  const [bottom, top] = isTriangle ? TRIANGLE_Y : energyRange(input);
  const [left, right] = isTriangle ? TRIANGLE_X : LINE_X;
  const per = { x: frame.width / (right - left), y: frame.height / (top - bottom) };
  return isTriangle ? { x: Math.min(per.x, per.y), y: Math.min(per.x, per.y) } : per;
}

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

/** px under the axis of a binary, the triangle or the tetrahedron; the provenance stands at its foot. */
const bottomMargin = ({ length }: readonly string[]): number => (length === 2 ? 88 : 24);

/** Scale and release, printed on the drawing so that they go where the picture goes. */
const provenanceNote = (text: string, margin: number, colors: ChartColors): Partial<Annotations> => ({
  text,
  xref: 'paper',
  yref: 'paper',
  x: 1,
  y: 0,
  yshift: 4 - margin,
  xanchor: 'right',
  yanchor: 'bottom',
  showarrow: false,
  font: { size: 11, color: colors.faint },
});

/** px: a narrower drawing is looked at from further away, or the corners would lie outside. */
const NARROW = 400;
const EYE = { x: 0.5, y: -1.72, z: 0.5 } as const;

function eyeFor(width: number): { x: number; y: number; z: number } {
  const distance = width < NARROW ? 1.3 : 1;
  return { x: EYE.x * distance, y: EYE.y * distance, z: EYE.z * distance };
}

const HIDDEN_AXIS = {
  visible: false,
  showgrid: false,
  zeroline: false,
  showline: false,
  mirror: false as const,
  showbackground: false,
  showspikes: false,
};

/** `x in Ti₁₋ₓOₓ`; between compounds x counts atoms, not formulas. */
function fractionTitle({ diagram: { components }, texts }: PhaseFigureInput): string {
  const areElements = components.every((component) => /^[A-Z][a-z]?$/.test(component));
  const part = (component: string): string => (areElements ? component : `(${formulaText(component)})`);
  const [from = '', to = ''] = components.map(part);
  const mixture = `${from}<sub>1−<i>x</i></sub>${to}<sub><i>x</i></sub>`;
  return (areElements ? texts.fractionAxis : texts.shareAxis).replace('{formula}', mixture);
}

function layoutOf(input: PhaseFigureInput, colors: ChartColors): Partial<Layout> {
  const { diagram, texts } = input;
  const margin = bottomMargin(diagram.components);
  const shared: Partial<Layout> = {
    hovermode: 'closest',
    showlegend: true,
    legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom', traceorder: 'reversed' },
    annotations: [provenanceNote(texts.provenance, margin, colors)],
    uirevision: diagram.title,
    margin: { l: 64, r: input.isUnstableShown ? 84 : 24, t: 44, b: margin },
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
      margin: { l: 20, r: input.isUnstableShown ? 84 : 20, t: 44, b: margin },
      xaxis: { ...HIDDEN_AXIS, range: [...TRIANGLE_X] },
      yaxis: { ...HIDDEN_AXIS, range: [...TRIANGLE_Y], scaleanchor: 'x' },
    };
  return {
    ...shared,
    margin: { l: 0, r: input.isUnstableShown ? 84 : 0, t: 44, b: margin },
    scene: {
      xaxis: HIDDEN_AXIS,
      yaxis: HIDDEN_AXIS,
      zaxis: HIDDEN_AXIS,
      aspectmode: 'data',
      // From the front and a little to the right: no corner hides another.
      camera: { eye: eyeFor(input.frame.width), center: { x: 0, y: 0, z: -0.12 } },
    },
  };
}

export function phaseFigure(input: PhaseFigureInput, colors: ChartColors): PlotFigure {
  const is3d = input.diagram.components.length === 4;
  return { data: traces(input, colors, is3d), layout: layoutOf(input, colors) };
}
