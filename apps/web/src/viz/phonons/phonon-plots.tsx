/** Plots of phonons with their numbers: bands and density of states, thermal properties. */
import type { PhononsJson } from '@unitcell/contract/results';
import { useCallback, useMemo } from 'react';
import { Notice } from '../../components/notice.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import type { ChartColors } from '../plot/chart-theme.ts';
import { Plot } from '../plot/plot.tsx';
import {
  densityFigure,
  phononFigure,
  phononPath,
  phononTexts,
  thermalCurves,
  thermalFigure,
} from './phonon-figures.ts';

interface PhononPlotProps {
  readonly phonons: PhononsJson;
  /** Base name of exported files. */
  readonly name: string;
}

export function PhononBands({ phonons, name }: PhononPlotProps) {
  const { t } = useTexts(phononTexts);
  const path = useMemo(() => phononPath(phonons), [phonons]);
  const figure = useCallback(
    (colors: ChartColors) =>
      phonons.bands.length > 0 ? phononFigure(phonons, path, colors, t) : densityFigure(phonons, colors, t),
    [phonons, path, t],
  );
  const [low, high] = useMemo(() => extremes(phonons), [phonons]);
  const number = (value: number): string => formatNumber(value, { decimals: 2 });
  return (
    <>
      {phonons.has_imaginary_modes && <Notice kind="warning">{t('imaginary')}</Notice>}
      <Plot
        name={name}
        figure={figure}
        height={400}
        summary={
          phonons.bands.length > 0
            ? t('phononSummary', {
                path: path.ticks.map(({ text }) => text).join(' – '),
                low: number(low),
                high: number(high),
              })
            : t('densitySummary', { low: number(low), high: number(high) })
        }
        table={() => tableOf(phonons, path.distances)}
      />
      {phonons.supercell && (
        <p className="uc-hint">{t('supercell', { supercell: phonons.supercell.join(' × ') })}</p>
      )}
    </>
  );
}

/** Lowest and highest frequency in THz of the bands, or of the density of states if there are no bands. */
function extremes({ bands, dos }: PhononsJson): readonly [number, number] {
  const all = bands.length > 0 ? bands.flatMap(({ frequencies }) => frequencies) : (dos?.frequencies ?? []);
  return all.reduce<readonly [number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

function tableOf({ bands, dos }: PhononsJson, distances: readonly number[]) {
  if (bands.length === 0)
    return {
      header: ['frequency_thz', 'states_per_thz_and_cell'],
      rows: (dos?.frequencies ?? []).map((frequency, k) => [frequency, dos?.total[k] ?? 0]),
    };
  return {
    header: [
      'distance_per_angstrom',
      'label',
      'q1',
      'q2',
      'q3',
      ...(bands[0]?.frequencies ?? []).map((_, mode) => `mode_${mode + 1}_thz`),
    ],
    rows: bands.map(({ q, label, frequencies }, at) => [
      distances[at] ?? 0,
      label ?? '',
      ...q,
      ...frequencies,
    ]),
  };
}

/** K */
const ROOM = 300;

export function ThermalPlot({ phonons, name }: PhononPlotProps) {
  const { t } = useTexts(phononTexts);
  const curves = useMemo(() => thermalCurves(phonons), [phonons]);
  const figure = useCallback((colors: ChartColors) => thermalFigure(curves, colors, t), [curves, t]);
  const { temperatures } = curves;
  const room = temperatures.reduce(
    (best, temperature, k) =>
      Math.abs(temperature - ROOM) < Math.abs((temperatures[best] ?? 0) - ROOM) ? k : best,
    0,
  );
  return (
    <Plot
      name={name}
      figure={figure}
      height={380}
      summary={t('thermalSummary', {
        to: temperatures.at(-1) ?? 0,
        at: temperatures[room] ?? 0,
        heat: formatNumber(curves.heatCapacity[room], { decimals: 2 }),
      })}
      table={() => ({
        header: [
          'temperature_k',
          'free_energy_kj_per_mol_atoms',
          'entropy_j_per_mol_k_atoms',
          'heat_capacity_j_per_mol_k_atoms',
        ],
        rows: temperatures.map((temperature, k) => [
          temperature,
          curves.freeEnergy[k] ?? 0,
          curves.entropy[k] ?? 0,
          curves.heatCapacity[k] ?? 0,
        ]),
      })}
    />
  );
}
