/** The drawing of a phase diagram: its data, axes, margins and eye. */
import type { Annotations, Layout } from 'plotly.js';
import { formulaText } from '../../../components/formula.tsx';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { eyeOf } from './eye.ts';
import type { PhaseFigureInput } from './input.ts';
import { energyRange, LINE_X, TRIANGLE_X, TRIANGLE_Y } from './places.ts';
import type { PlotFigure } from '../../../viz/plot/plot.tsx';
import { traces } from './traces.ts';

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
      camera: { eye: eyeOf(input), center: { x: 0, y: 0, z: -0.12 } },
    },
  };
}

/** The drawing of a phase diagram: a line, a triangle or a tetrahedron. */
export function phaseFigure(input: PhaseFigureInput, colors: ChartColors): PlotFigure {
  const is3d = input.diagram.components.length === 4;
  return { data: traces(input, colors, is3d), layout: layoutOf(input, colors) };
}
