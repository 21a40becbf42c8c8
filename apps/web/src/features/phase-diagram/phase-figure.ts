/** The drawing of a phase diagram: a line, a triangle or a tetrahedron. */
import type { Annotations, Data, Layout, PlotData } from 'plotly.js';
import { formulaText } from '../../components/formula.tsx';
import type { ChartColors } from '../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../viz/plot/plot.tsx';
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
  readonly placed: (Place & { readonly label: string }) | null;
  readonly texts: {
    readonly stable: string;
    readonly unstable: string;
    readonly placed: string;
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

function traces(input: PhaseFigureInput, colors: ChartColors, is3d: boolean): Data[] {
  const { diagram, unstable, isUnstableShown, highlighted, placed, texts } = input;
  const points = (phases: readonly Phase[], own: Partial<PlotData>): Data =>
    trace(is3d, phases, {
      hovertext: phases.map((phase) => hoverText(phase, input)),
      hoverinfo: 'text',
      customdata: phases.map(({ key }) => key),
      ...own,
    });
  const isLabelled = diagram.stable.length <= MOST_LABELS[is3d ? 3 : 2];
  return [
    trace(is3d, linePlaces(diagram), {
      mode: 'lines',
      line: { color: is3d ? colors.faint : colors.ink, width: is3d ? 1.5 : 1.3 },
      hoverinfo: 'skip',
      showlegend: false,
    }),
    points(unstable, {
      name: texts.unstable,
      mode: 'markers',
      visible: isUnstableShown ? true : 'legendonly',
      marker: {
        color: is3d ? colors.unstable : 'rgba(0,0,0,0)',
        size: is3d ? 3.5 : 8,
        symbol: is3d ? 'circle-open' : 'circle',
        line: { color: colors.unstable, width: 1.4 },
      },
    }),
    points(diagram.stable, {
      name: texts.stable,
      mode: isLabelled ? 'text+markers' : 'markers',
      text: diagram.stable.map(({ formula }) => formulaText(formula)),
      textposition: 'top center',
      textfont: { size: 12, color: colors.ink },
      marker: { color: colors.stable, size: is3d ? 5 : 9 },
      cliponaxis: false,
    }),
    ...(isLabelled ? [] : [cornerNames(diagram, colors, is3d)]),
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
    trace(is3d, highlighted ? [highlighted] : [], {
      mode: 'markers',
      hoverinfo: 'skip',
      showlegend: false,
      marker: {
        color: is3d ? colors.highlight : 'rgba(0,0,0,0)',
        size: is3d ? 12 : 18,
        symbol: 'circle-open',
        line: { color: colors.highlight, width: 3 },
      },
    }),
  ];
}

/** Scale and release, printed on the drawing so that they go where the picture goes. */
const provenanceNote = (text: string, colors: ChartColors): Partial<Annotations> => ({
  text,
  xref: 'paper',
  yref: 'paper',
  x: 1,
  y: 1.02,
  xanchor: 'right',
  yanchor: 'bottom',
  showarrow: false,
  font: { size: 11, color: colors.faint },
});

const HIDDEN_AXIS = {
  visible: false,
  showgrid: false,
  zeroline: false,
  showline: false,
  mirror: false as const,
  showbackground: false,
  showspikes: false,
};

function layoutOf({ diagram, texts }: PhaseFigureInput, colors: ChartColors): Partial<Layout> {
  const shared: Partial<Layout> = {
    hovermode: 'closest',
    showlegend: true,
    legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom', traceorder: 'reversed' },
    annotations: [provenanceNote(texts.provenance, colors)],
    uirevision: diagram.title,
    margin: { l: 64, r: 24, t: 44, b: 52 },
  };
  const { length } = diagram.components;
  if (length === 2)
    return {
      ...shared,
      xaxis: { title: { text: diagram.components.map(formulaText).join(' – ') }, range: [-0.03, 1.03] },
      yaxis: { title: { text: texts.energyAxis } },
    };
  if (length === 3)
    return {
      ...shared,
      margin: { l: 20, r: 20, t: 44, b: 20 },
      xaxis: { ...HIDDEN_AXIS, range: [-0.1, 1.1] },
      yaxis: { ...HIDDEN_AXIS, range: [-0.09, 0.97], scaleanchor: 'x' },
    };
  return {
    ...shared,
    margin: { l: 0, r: 0, t: 44, b: 0 },
    scene: {
      xaxis: HIDDEN_AXIS,
      yaxis: HIDDEN_AXIS,
      zaxis: HIDDEN_AXIS,
      aspectmode: 'data',
      camera: { eye: { x: 0.85, y: -1.55, z: 0.45 }, center: { x: 0, y: 0, z: -0.1 } },
    },
  };
}

export function phaseFigure(input: PhaseFigureInput, colors: ChartColors): PlotFigure {
  const is3d = input.diagram.components.length === 4;
  return { data: traces(input, colors, is3d), layout: layoutOf(input, colors) };
}
