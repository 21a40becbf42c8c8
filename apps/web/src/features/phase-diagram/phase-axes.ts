/** The axes a phase diagram is drawn on, and what stands around it. */
import type { Annotations, Layout } from 'plotly.js';
import { formulaText } from '../../components/formula.tsx';
import type { ChartColors } from '../../viz/plot/chart-theme.ts';
import type { Pixel } from './label-places.ts';
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

/** Ranges of the axes of a triangle, in its coordinates. */
const TRIANGLE_X = [-0.1, 1.1] as const;
const TRIANGLE_Y = [-0.09, 0.97] as const;
/** eV/atom: a hull without depth is drawn as wide as this. */
export const SMALLEST_RANGE = 0.1;
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
export function pixelsPerUnit(input: PhaseFigureInput): Pixel {
  const { diagram, frame } = input;
  const { length } = diagram.components;
  if (length === 4) return { x: TETRAHEDRON_PX, y: TETRAHEDRON_PX };
  const isTriangle = length === 3;
  const [bottom, top] = isTriangle ? TRIANGLE_Y : energyRange(input);
  const [left, right] = isTriangle ? TRIANGLE_X : LINE_X;
  const per = { x: frame.width / (right - left), y: frame.height / (top - bottom) };
  return isTriangle ? { x: Math.min(per.x, per.y), y: Math.min(per.x, per.y) } : per;
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

export function layoutOf(input: PhaseFigureInput, colors: ChartColors): Partial<Layout> {
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
