/** Charts of values predicted by the built-in potential. */
import type { EquationOfStateJson, IonBarriersJson, ThermalExpansionJson } from '@unitcell/contract/run4u';
import type { Translate } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import { axisStyle, type ChartColors, line } from '../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../viz/plot/plot-figure.ts';
import type { predictedTexts } from './predicted-texts.ts';

type T = Translate<(typeof predictedTexts)['en']>;

/** Energy in eV/atom at a volume per atom, by the third-order Birch–Murnaghan equation. */
export function birchMurnaghanEnergy(eos: EquationOfStateJson, volume: number): number {
  // Converts GPa Å³ to eV.
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

export function expansionFigure({ rows }: ThermalExpansionJson, colors: ChartColors, t: T): PlotFigure {
  const [prussian = colors.ink, cinnabar = colors.ink] = colors.series;
  const temperatures = rows.map(({ temperature }) => temperature);
  return {
    data: [
      line(
        temperatures,
        rows.map(({ expansion }) => 1e6 * expansion),
        prussian,
        { name: t('expansionOfVolume'), hovertemplate: '%{x} K<br>%{y:.1f}·10⁻⁶/K<extra></extra>' },
      ),
      line(
        temperatures,
        rows.map(({ volume }) => volume),
        cinnabar,
        { name: t('volumeAt'), yaxis: 'y2', hovertemplate: '%{x} K<br>%{y:.3f} Å³<extra></extra>' },
      ),
    ],
    layout: {
      showlegend: false,
      margin: { l: 78, r: 24, t: 8, b: 46 },
      xaxis: { title: { text: t('temperatureAxis') }, anchor: 'y2', mirror: 'all', nticks: 6 },
      yaxis: { title: { text: t('expansionAxis') }, domain: [0.53, 1], nticks: 5 },
      yaxis2: { ...axisStyle(colors), title: { text: t('volumeAxis') }, domain: [0, 0.47], nticks: 5 },
    },
  };
}

export function barrierFigure({ hops }: IonBarriersJson, colors: ChartColors, t: T): PlotFigure {
  return {
    data: hops.flatMap(({ band, distance }, index) => {
      if (!band) return [];
      const color = colors.series[index] ?? colors.ink;
      return [
        line(
          band.path.map((image) => image.distance),
          band.path.map(({ energy }) => energy),
          color,
          {
            mode: 'lines+markers',
            marker: { color, size: 6 },
            line: { color, width: 1.5, shape: 'spline' },
            name: `${formatNumber(distance, { decimals: 2 })} Å`,
            hovertemplate: '%{x:.2f} Å<br>%{y:.3f} eV<extra></extra>',
          },
        ),
      ];
    }),
    layout: {
      showlegend: true,
      margin: { l: 66, r: 14, t: 8, b: 46 },
      xaxis: { title: { text: t('pathAxis') }, nticks: 6 },
      yaxis: { title: { text: t('pathEnergyAxis') }, nticks: 6 },
    },
  };
}
