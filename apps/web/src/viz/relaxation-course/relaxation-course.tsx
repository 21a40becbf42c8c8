/** Energy and largest force at each step of a relaxation, one above the other. */
import type { RelaxationCourse } from '@unitcell/contract/run4u';
import type { Data } from 'plotly.js';
import { useCallback } from 'react';
import { defineTexts, type Translate, useTexts } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import { axisStyle, type ChartColors } from '../plot/chart-theme.ts';
import { Plot } from '../plot/plot.tsx';
import type { PlotFigure } from '../plot/plot-figure.ts';

const courseTexts = defineTexts('relaxation-course', {
  step: ['Step', '步数'],
  energyAxis: ['E (eV/atom)', 'E (eV/atom)'],
  forceAxis: ['F (eV/Å)', 'F (eV/Å)'],
  summary: [
    'Energy and largest force at each step of the relaxation, from {{from}} to {{to}} eV/atom in {{steps}} steps.',
    '弛豫各步的能量与最大力：{{steps}} 步内由 {{from}} 变为 {{to}} eV/atom。',
  ],
});

/** eV/Å */
const LEAST_FORCE = 0.01;
const HEIGHT = 260;

function courseFigure(
  { energies, forces }: RelaxationCourse,
  colors: ChartColors,
  t: Translate<(typeof courseTexts)['en']>,
): PlotFigure {
  const [prussian = colors.ink, cinnabar = colors.ink] = colors.series;
  const line = (y: readonly number[], color: string, more: Partial<Data> = {}): Data =>
    ({
      type: 'scatter',
      mode: 'lines+markers',
      x: y.map((_, step) => step),
      y,
      line: { color, width: 1.5 },
      marker: { color, size: 5 },
      ...more,
    }) as Data;
  // Forces that symmetry forbids are only rounding errors, and are drawn at the lower end of the axis.
  const highest = forces.reduce((most, force) => Math.max(most, force), LEAST_FORCE);
  return {
    data: [
      line(energies, prussian, { hovertemplate: '%{y:.5f} eV/atom<extra></extra>' }),
      line(forces, cinnabar, { yaxis: 'y2', hovertemplate: '%{y:.4f} eV/Å<extra></extra>' }),
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

interface RelaxationCoursePlotProps {
  readonly course: RelaxationCourse;
  /** Name of exported files, without extension. */
  readonly name: string;
}

export function RelaxationCoursePlot({ course, name }: RelaxationCoursePlotProps) {
  const { t } = useTexts(courseTexts);
  const { energies, forces } = course;
  const figure = useCallback((colors: ChartColors) => courseFigure(course, colors, t), [course, t]);
  return (
    <Plot
      name={name}
      figure={figure}
      height={HEIGHT}
      summary={t('summary', {
        from: formatNumber(energies[0], { decimals: 5 }),
        to: formatNumber(energies.at(-1), { decimals: 5 }),
        steps: Math.max(0, energies.length - 1),
      })}
      table={() => ({
        header: ['step', 'energy_per_atom_ev', 'largest_force_ev_per_angstrom'],
        rows: energies.map((energy, step) => [step, energy, forces[step] ?? '']),
      })}
    />
  );
}
