/** Energy and largest force at each step, one above the other. */
import type { Data } from 'plotly.js';
import type { Translate } from '../../../i18n/texts.ts';
import { axisStyle, type ChartColors } from '../../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';
import type { panelTexts } from './panel-texts.ts';
import type { CoursePoint } from './use-relaxation.ts';

/** eV/Å */
const LEAST_FORCE = 0.01;

export function courseFigure(
  course: readonly CoursePoint[],
  colors: ChartColors,
  t: Translate<(typeof panelTexts)['en']>,
): PlotFigure {
  const [prussian = colors.ink, cinnabar = colors.ink] = colors.series;
  const line = (y: readonly number[], color: string, more: Partial<Data> = {}): Data =>
    ({
      type: 'scatter',
      mode: 'lines+markers',
      x: course.map(({ step }) => step),
      y,
      line: { color, width: 1.5 },
      marker: { color, size: 5 },
      ...more,
    }) as Data;
  // Forces that symmetry forbids are rounding: they stay on the floor.
  const highest = course.reduce((most, { largestForce }) => Math.max(most, largestForce), LEAST_FORCE);
  return {
    data: [
      line(
        course.map(({ energyPerAtom }) => energyPerAtom),
        prussian,
        { hovertemplate: '%{y:.5f} eV/atom<extra></extra>' },
      ),
      line(
        course.map(({ largestForce }) => largestForce),
        cinnabar,
        { yaxis: 'y2', hovertemplate: '%{y:.4f} eV/Å<extra></extra>' },
      ),
    ],
    layout: {
      showlegend: false,
      margin: { l: 78, r: 14, t: 8, b: 46 },
      xaxis: { title: { text: t('step') }, anchor: 'y2', mirror: 'all', nticks: 6, tickformat: 'd' },
      yaxis: { title: { text: t('energyAxis') }, domain: [0.54, 1], nticks: 4 },
      yaxis2: {
        ...axisStyle(colors),
        title: { text: t('forceAxis') },
        domain: [0, 0.46],
        range: [-0.06 * highest, 1.06 * highest],
        nticks: 4,
      },
    },
  };
}
