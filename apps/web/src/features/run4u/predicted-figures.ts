/** Figures of values predicted by the built-in potential. */
import type { EquationOfStateJson } from '@unitcell/contract/run4u';
import type { Data } from 'plotly.js';
import type { Translate } from '../../i18n/texts.ts';
import type { ChartColors } from '../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../viz/plot/plot-figure.ts';
import type { predictedTexts } from './predicted-texts.ts';

type T = Translate<(typeof predictedTexts)['en']>;

const line = (
  x: readonly (number | null)[],
  y: readonly (number | null)[],
  color: string,
  more: object = {},
): Data => ({ type: 'scatter', mode: 'lines', x, y, line: { color, width: 1.5 }, ...more }) as Data;

/** Energy in eV/atom at a volume per atom, by the third-order Birch–Murnaghan equation. */
export function birchMurnaghanEnergy(eos: EquationOfStateJson, volume: number): number {
  // GPa Å³ in eV.
  const modulus = eos.bulk_modulus / 160.21766208;
  const t = (eos.volume_per_atom / volume) ** (2 / 3) - 1;
  return (
    eos.energy_per_atom +
    ((9 * eos.volume_per_atom * modulus) / 8) * t * t * (1 + ((eos.bulk_modulus_derivative - 4) * t) / 2)
  );
}

const CURVE_POINTS = 60;

export function eosFigure(eos: EquationOfStateJson, colors: ChartColors, t: T): PlotFigure {
  const [prussian = colors.ink, cinnabar = colors.ink] = colors.series;
  const [low, high] = [Math.min(...eos.volumes), Math.max(...eos.volumes)];
  const volumes = Array.from({ length: CURVE_POINTS + 1 }, (_, k) => low + ((high - low) * k) / CURVE_POINTS);
  return {
    data: [
      line(
        volumes,
        volumes.map((volume) => birchMurnaghanEnergy(eos, volume)),
        prussian,
        { hoverinfo: 'skip' },
      ),
      {
        type: 'scatter',
        mode: 'markers',
        x: eos.volumes,
        y: eos.energies,
        marker: { color: cinnabar, size: 6 },
        hovertemplate: '%{x:.3f} Å³<br>%{y:.5f} eV<extra></extra>',
      },
    ],
    layout: {
      showlegend: false,
      margin: { l: 78, r: 14, t: 8, b: 46 },
      xaxis: { title: { text: t('volumeAxis') }, nticks: 6 },
      yaxis: { title: { text: t('energyAxis') }, nticks: 6 },
    },
  };
}
