/** Plots of phonons with their numbers: bands and density of states, thermal properties. */
import type { PhononsJson } from '@unitcell/contract/results';
import type { PredictedPhonons } from '@unitcell/contract/run4u';
import { NativeSelect, Skeleton } from '@mantine/core';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { PanelBoundary } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import type { ChartColors } from '../plot/chart-theme.ts';
import type { PlotPoint } from '../plot/drawing.tsx';
import { Plot } from '../plot/plot.tsx';
import classes from './phonons.module.css';
import {
  densityFigure,
  type ModePlace,
  namedWaves,
  phononFigure,
  phononPath,
  phononTexts,
  thermalCurves,
  thermalFigure,
  type Wave,
} from './phonon-figures.ts';
import { type ModesQuery, useModes } from './use-modes.ts';

interface PhononPlotProps {
  readonly phonons: PhononsJson;
  /** Base name of exported files. */
  readonly name: string;
}

const ModeViewer = lazyPart(async () => (await import('./mode-viewer.tsx')).ModeViewer);

/** px */
const VIEWER_HEIGHT = 420;

const sameWave = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((value, axis) => Math.abs(value - (b[axis] ?? 0)) < 1e-6);

const waveText = (q: readonly number[]): string =>
  `(${q.map((value) => String(Number(value.toFixed(3)))).join(', ')})`;

interface PhononsInMotionProps extends PhononPlotProps {
  /** Modes of a wave vector; null: unknown. */
  readonly modesAt: ModesQuery | null;
  /** Whether `modesAt` takes any wave vector, not only named ones. */
  readonly takesAny: boolean;
  /** Shown between the bands and the modes; if there are no modes, it says why. */
  readonly children?: ReactNode;
}

interface Choice {
  readonly q: readonly number[];
  /** Undefined: the first that is not acoustic. */
  readonly mode?: number | undefined;
}

/** Bands, and the motion of the atoms in a mode chosen from a list or by a click on a branch. */
export function PhononsInMotion({ phonons, name, modesAt, takesAny, children }: PhononsInMotionProps) {
  const { t, language } = useTexts(phononTexts);
  const waves = useMemo(() => namedWaves(phonons), [phonons]);
  const [choice, setChoice] = useState<Choice>({ q: waves[0]?.q ?? [0, 0, 0] });
  const [isRunning, setRunning] = useState(false);
  const { q, mode } = choice;
  const known = waves.find((wave) => sameWave(wave.q, q));
  const listed: readonly Wave[] = known ? waves : [{ name: '', q, imaginary: 0 }, ...waves];
  const marked = useMemo(
    () =>
      mode === undefined
        ? []
        : phonons.bands.flatMap((point, at): ModePlace[] => (sameWave(point.q, q) ? [[at, mode]] : [])),
    [phonons, q, mode],
  );
  const choosePoint = useCallback(
    ({ customdata }: PlotPoint) => {
      const [at = -1, next] = (customdata ?? []) as unknown as readonly number[];
      const point = phonons.bands[at];
      if (!point) return;
      setChoice({ q: point.q, mode: next });
      setRunning(true);
    },
    [phonons],
  );
  return (
    <>
      <PhononBands
        phonons={phonons}
        name={name}
        marked={marked}
        {...(modesAt && takesAny ? { onPoint: choosePoint } : {})}
      />
      {children}
      {modesAt && (
        <>
          <NativeSelect
            label={t('wave')}
            value={known?.name ?? ''}
            onChange={(event) =>
              setChoice({ q: waves.find((wave) => wave.name === event.currentTarget.value)?.q ?? q })
            }
            data={listed.map((wave) => {
              const text = `${wave.name} ${waveText(wave.q)}`.trim();
              return {
                value: wave.name,
                label: wave.imaginary > 0 ? t('imaginaryWave', { wave: text, n: wave.imaginary }) : text,
              };
            })}
            className={classes.wave}
          />
          <PanelBoundary waiting={<Skeleton height={VIEWER_HEIGHT} />}>
            <ModeViewer
              structure={phonons.structure}
              q={q}
              modesAt={modesAt}
              mode={mode}
              onMode={(next) => setChoice({ q, mode: next })}
              isRunning={isRunning}
              onRun={setRunning}
            />
          </PanelBoundary>
          <p className="uc-hint">
            {[t('modesHint'), ...(takesAny && phonons.bands.length > 0 ? [t('clickHint')] : [])].join(
              language === 'zh' ? '' : ' ',
            )}
          </p>
        </>
      )}
    </>
  );
}

interface SolvedPhononsProps extends PhononPlotProps {
  readonly phonons: PredictedPhonons;
  /** Shown instead of the modes when the force constants are missing. */
  readonly noModes?: string;
}

/** Like `PhononsInMotion`, with modes that the browser solves from force constants. */
export function SolvedPhonons({ phonons, name, noModes }: SolvedPhononsProps) {
  const modesAt = useModes(phonons);
  return (
    <PhononsInMotion phonons={phonons} name={name} modesAt={modesAt} takesAny>
      {!modesAt && <p className="uc-hint">{noModes}</p>}
    </PhononsInMotion>
  );
}

interface PhononBandsProps extends PhononPlotProps {
  readonly marked: readonly ModePlace[];
  readonly onPoint?: (point: PlotPoint) => void;
}

function PhononBands({ phonons, name, marked, onPoint }: PhononBandsProps) {
  const { t } = useTexts(phononTexts);
  const path = useMemo(() => phononPath(phonons), [phonons]);
  const figure = useCallback(
    (colors: ChartColors) =>
      phonons.bands.length > 0
        ? phononFigure(phonons, path, colors, t, marked)
        : densityFigure(phonons, colors, t),
    [phonons, path, t, marked],
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
        {...(onPoint ? { onPoint } : {})}
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
