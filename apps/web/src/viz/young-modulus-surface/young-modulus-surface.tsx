/** Young's modulus over all directions, as a surface that can be rotated. */
import type { ModulusSurface } from '@unitcell/tensors';
import type { Data } from 'plotly.js';
import { useCallback, useMemo } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import type { ChartColors } from '../plot/chart-theme.ts';
import { Plot } from '../plot/plot.tsx';
import type { PlotFigure } from '../plot/plot-figure.ts';
import { directionText, meshOf } from './modulus-surface.ts';

const modulusTexts = defineTexts('young-modulus', {
  summary: [
    "Directional Young's modulus of {{formula}}: from {{min}} GPa along {{minDirection}} to {{max}} GPa along {{maxDirection}}, Cartesian directions.",
    '{{formula}} 的方向杨氏模量：沿 {{minDirection}} 最小，{{min}} GPa；沿 {{maxDirection}} 最大，{{max}} GPa（笛卡尔方向）。',
  ],
  unit: ['E (GPa)', 'E (GPa)'],
  along: ['along {{direction}}', '沿 {{direction}}'],
});

interface YoungModulusSurfaceProps {
  readonly surface: ModulusSurface;
  readonly formula: string;
  readonly name: string;
  readonly height?: number;
}

/** A view that shows all three axes. */
const EYE = { x: 1.6, y: 1.25, z: 0.9 } as const;

/** Length of the axes, relative to the largest modulus. */
const AXIS_REACH = 1.15;

/** matplotlib's cividis, which looks nearly the same with and without colour blindness. */
const CIVIDIS = [
  [0, '#00204c'],
  [0.12, '#00346e'],
  [0.24, '#3c4a6b'],
  [0.47, '#757575'],
  [0.7, '#b0a572'],
  [0.88, '#e1cc5c'],
  [1, '#ffe945'],
] as const;

export function YoungModulusSurface({ surface, formula, name, height = 420 }: YoungModulusSurfaceProps) {
  const { t } = useTexts(modulusTexts);
  const mesh = useMemo(() => meshOf(surface), [surface]);
  const { minimum, maximum } = surface;
  const figure = useCallback(
    (colors: ChartColors): PlotFigure => {
      const end = AXIS_REACH * maximum.value;
      const axis = (x: number, y: number, z: number, letter: string): Data => ({
        type: 'scatter3d',
        mode: 'text+lines',
        x: [-x, x],
        y: [-y, y],
        z: [-z, z],
        text: ['', `<i>${letter}</i>`],
        textposition: 'top center',
        textfont: { size: 13, color: colors.ink },
        line: { color: colors.faint, width: 2 },
        hoverinfo: 'skip',
        showlegend: false,
      });
      const hidden = { visible: false, range: [-end, end] };
      return {
        data: [
          {
            type: 'mesh3d',
            ...mesh,
            modulus: undefined,
            intensity: mesh.modulus,
            cmin: minimum.value,
            // The colour scale needs two different ends, also for an isotropic crystal.
            cmax: Math.max(maximum.value, minimum.value * 1.001),
            colorscale: CIVIDIS,
            colorbar: {
              title: { text: t('unit'), side: 'right', font: { size: 12 } },
              thickness: 10,
              len: 0.7,
              outlinewidth: 0,
              tickfont: { size: 11 },
            },
            lighting: { ambient: 0.65, diffuse: 0.6, specular: 0 },
            text: surface.directions.map((direction) => t('along', { direction: directionText(direction) })),
            hovertemplate: '%{intensity:.1f} GPa<br>%{text}<extra></extra>',
          } as unknown as Data,
          axis(end, 0, 0, 'x'),
          axis(0, end, 0, 'y'),
          axis(0, 0, end, 'z'),
        ],
        layout: {
          margin: { l: 0, r: 84, t: 0, b: 0 },
          uirevision: 'surface',
          scene: {
            aspectmode: 'cube',
            camera: { eye: EYE },
            xaxis: hidden,
            yaxis: hidden,
            zaxis: hidden,
          },
        },
      };
    },
    [mesh, surface, minimum, maximum, t],
  );
  const gpa = (value: number): string => formatNumber(value, { decimals: 1 });
  return (
    <Plot
      figure={figure}
      dimensions={3}
      height={height}
      name={name}
      summary={t('summary', {
        formula,
        min: gpa(minimum.value),
        minDirection: directionText(minimum.direction),
        max: gpa(maximum.value),
        maxDirection: directionText(maximum.direction),
      })}
      table={() => ({
        header: ['x', 'y', 'z', 'E (GPa)'],
        rows: surface.directions.map((direction, index) => [...direction, surface.values[index]]),
      })}
    />
  );
}
