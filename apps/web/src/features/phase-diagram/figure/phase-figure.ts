/** The drawing of a phase diagram: a line, a triangle or a tetrahedron. */
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../../viz/plot/plot.tsx';
import type { PhaseFigureInput } from './input.ts';
import { layoutOf } from './layout.ts';
import { traces } from './traces.ts';

export function phaseFigure(input: PhaseFigureInput, colors: ChartColors): PlotFigure {
  const is3d = input.diagram.components.length === 4;
  return { data: traces(input, colors, is3d), layout: layoutOf(input, colors) };
}
