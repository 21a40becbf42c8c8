/** Interactive band structure beside its density of states. It depends only on its props and fetches nothing. */
import type { BandStructure, DensityOfStates } from '@unitcell/material';
import { roundTo } from '@unitcell/numerics';
import type { PlotMouseEvent } from 'plotly.js';
import { useCallback, useMemo } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import type { PathPlace } from '../brillouin-zone/path-place.ts';
import type { ChartColors } from '../plot/chart-theme.ts';
import { Plot } from '../plot/plot.tsx';
import type { PlotTable } from '../plot/plot-numbers.tsx';
import { type BandData, bandDataOf, bandFigure, bandPlotTexts, kText } from './band-figure.ts';
import { distancesOfPlace, placeOfPoint } from './bands.ts';

interface BandPlotProps {
  readonly bands: BandStructure;
  readonly density?: DensityOfStates | undefined;
  readonly formula: string;
  /** Name of exported files, without extension. */
  readonly name: string;
  /** Position marked on the path; pointing changes it. */
  readonly place: PathPlace | null;
  readonly onPlace: (place: PathPlace | null) => void;
  readonly height?: number;
}

export function BandPlot({ bands, density, formula, name, place, onPlace, height = 460 }: BandPlotProps) {
  const { t } = useTexts(bandPlotTexts);
  const data = useMemo(() => bandDataOf(bands, density), [bands, density]);
  const marked = useMemo(() => (place ? distancesOfPlace(bands, place) : []), [bands, place]);
  const figure = useCallback((colors: ChartColors) => bandFigure(data, marked, colors, t), [data, marked, t]);
  const point = useCallback(
    (at: PlotMouseEvent['points'][number] | null) => {
      const kIndex = at?.customdata;
      onPlace(typeof kIndex === 'number' ? placeOfPoint(bands, kIndex) : null);
    },
    [bands, onPlace],
  );
  return (
    <Plot
      figure={figure}
      height={height}
      name={name}
      summary={t('summary', {
        functional: bands.functional,
        formula,
        path: data.ticks.map(({ text }) => text).join(' – '),
        gap: gapSentence(data, t),
      })}
      table={() => bandTable(data)}
      onHover={point}
    />
  );
}

type T = ReturnType<typeof useTexts<(typeof bandPlotTexts)['en']>>['t'];

/** `gap along this path 1.85 eV, direct, from Γ to Γ` */
export function gapSentence({ bands, gap }: Pick<BandData, 'bands' | 'gap'>, t: T): string {
  if (!gap) return t('metal');
  return t('gap', {
    width: formatNumber(gap.width, { decimals: 2 }),
    kind: t(gap.isDirect ? 'direct' : 'indirect'),
    from: kText(bands, gap.vbm.kIndices[0] ?? 0),
    to: kText(bands, gap.cbm.kIndices[0] ?? 0),
  });
}

/** One row per k-point: its position, then all band energies relative to the Fermi level. */
export function bandTable({ bands }: Pick<BandData, 'bands'>): PlotTable {
  const { kPoints, kDistance, labels, spinUp, spinDown, fermiEnergy } = bands;
  const names = new Map(labels.map(({ index, label }) => [index, label]));
  const columns = (spin: string, count: number): string[] =>
    Array.from({ length: count }, (_, band) => `E-E_F ${spin} ${band + 1} (eV)`);
  const relative = (row: readonly number[] | undefined): number[] =>
    (row ?? []).map((energy) => roundTo(energy - fermiEnergy, 6));
  return {
    header: [
      'distance (1/Å)',
      'label',
      'k1',
      'k2',
      'k3',
      ...columns('up', spinUp[0]?.length ?? 0),
      ...columns('down', spinDown?.[0]?.length ?? 0),
    ],
    rows: kDistance.map((distance, index) => [
      distance,
      names.get(index) ?? '',
      ...(kPoints[index] ?? []),
      ...relative(spinUp[index]),
      ...(spinDown ? relative(spinDown[index]) : []),
    ]),
  };
}

/** Densities of states, energies relative to the Fermi level. */
export function densityTable({
  energies,
  total,
  totalDown,
  projected,
  fermiEnergy,
}: DensityOfStates): PlotTable {
  const shells = Object.entries(projected ?? {});
  return {
    header: [
      'E-E_F (eV)',
      'total (states/eV)',
      ...(totalDown ? ['total down (states/eV)'] : []),
      ...shells.map(([name]) => name),
    ],
    rows: energies.map((energy, index) => [
      roundTo(energy - fermiEnergy, 6),
      total[index],
      ...(totalDown ? [totalDown[index]] : []),
      ...shells.map(([, values]) => values[index]),
    ]),
  };
}
