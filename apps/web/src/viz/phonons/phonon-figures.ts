/** Figures of phonons: bands beside the density of states, thermal properties. */
import type { PhononsJson } from '@unitcell/contract/results';
import { fromPymatgenDict, reciprocalLattice } from '@unitcell/crystal';
import { rowTimesMatrix3, subtract3, norm3, type Vec3 } from '@unitcell/numerics';
import { IMAGINARY } from '@unitcell/potential';
import type { Shape } from 'plotly.js';
import { axisStyle, type ChartColors, line } from '../plot/chart-theme.ts';
import type { PlotFigure } from '../plot/plot-figure.ts';
import { defineTexts, type Translate } from '../../i18n/texts.ts';

export const phononTexts = defineTexts('phonons', {
  phononSummary: [
    'Phonon bands along {{path}} and density of states, from {{low}} to {{high}} THz.',
    '沿 {{path}} 的声子谱与态密度，{{low}} 至 {{high}} THz。',
  ],
  frequencyAxis: ['Frequency (THz)', '频率 (THz)'],
  densityAxis: ['DOS (1/THz)', '态密度 (1/THz)'],
  densityAxisNarrow: ['1/THz', '1/THz'],
  total: ['Total', '总计'],
  supercell: [
    'Force constants of a supercell of {{supercell}} primitive cells.',
    '力常数取自 {{supercell}} 倍原胞的超胞。',
  ],
  imaginary: [
    'Imaginary modes (drawn below zero): a distortion lowers the energy. Their sizes are not reliable; thermal properties leave them out.',
    '存在虚频（画在零以下）：某种畸变会降低能量。虚频的大小不可靠，热力学性质未计入。',
  ],
  thermal: ['Thermal properties', '热力学性质'],
  thermalSummary: [
    'Free energy, entropy and heat capacity of the vibrations from 0 to {{to}} K, per mole of atoms. Heat capacity at {{at}} K: {{heat}} J/(mol K).',
    '振动自由能、熵与热容，0 至 {{to}} K，按每摩尔原子计。{{at}} K 时的热容：{{heat}} J/(mol K)。',
  ],
  temperatureAxis: ['T (K)', 'T (K)'],
  freeEnergyAxis: ['F (kJ/mol atoms)', 'F (kJ/mol 原子)'],
  entropyAxis: ['S, C (J/(mol atoms K))', 'S, C (J/(mol 原子 K))'],
  heatCapacity: ['Heat capacity', '热容'],
  entropy: ['Entropy', '熵'],
  freeEnergy: ['Free energy', '自由能'],
  phonons: ['Phonons', '声子'],
  densitySummary: [
    'Phonon density of states, from {{low}} to {{high}} THz.',
    '声子态密度，{{low}} 至 {{high}} THz。',
  ],
  modes: ['Modes', '振动模式'],
  wave: ['Wave vector', '波矢'],
  imaginaryWave: ['{{wave}}: {{n}} imaginary', '{{wave}}：{{n}} 个虚频'],
  clickHint: ['Click a point of a branch to see its mode.', '点击谱线上的一点，即可查看该模式。'],
  mode: ['Mode', '模式'],
  modeName: ['{{number}}: {{frequency}} THz', '{{number}}：{{frequency}} THz'],
  imaginaryMode: ['{{number}}: {{frequency}}i THz (imaginary)', '{{number}}：{{frequency}}i THz（虚频）'],
  amplitude: ['Amplitude', '振幅'],
  play: ['Animate', '播放动画'],
  pause: ['Stop', '停止'],
  modesHint: [
    'Atoms move in the primitive cell of the calculation, or in the supercell that holds the wave. Amplitudes are exaggerated.',
    '原子在计算所用的原胞中运动；波矢非零时在能容纳该波的超胞中运动。振幅经过放大。',
  ],
});

type T = Translate<(typeof phononTexts)['en']>;

export interface PhononPath {
  /** Distance of each wave vector along the path, 1/Å. */
  readonly distances: readonly number[];
  readonly ticks: readonly { readonly distance: number; readonly text: string }[];
  /** Wave vectors after which the path is discontinuous. */
  readonly jumps: ReadonlySet<number>;
}

export function phononPath({ structure, bands }: PhononsJson): PhononPath {
  const reciprocal = reciprocalLattice(fromPymatgenDict(structure).latticeVectors);
  const distances: number[] = [];
  const ticks: { distance: number; text: string }[] = [];
  const jumps = new Set<number>();
  const lengthBetween = (from: readonly number[], to: readonly number[]): number =>
    2 *
    Math.PI *
    norm3(rowTimesMatrix3(subtract3(to as unknown as Vec3, from as unknown as Vec3), reciprocal));
  bands.forEach(({ q, label }, at) => {
    const before = bands[at - 1];
    const isJump = before?.label !== undefined && label !== undefined;
    if (isJump) jumps.add(at - 1);
    const step = before && !isJump ? lengthBetween(before.q, q) : 0;
    const distance = (distances.at(-1) ?? 0) + step;
    distances.push(distance);
    if (label === undefined) return;
    const last = ticks.at(-1);
    if (isJump && last) last.text = last.text === label ? label : `${last.text}|${label}`;
    else ticks.push({ distance, text: label });
  });
  return { distances, ticks, jumps };
}

/** A wave vector with a name, or one that was chosen in the figure. */
export interface Wave {
  readonly name: string;
  readonly q: readonly number[];
  /** Number of imaginary modes. */
  readonly imaginary: number;
}

/** The named wave vectors, each once; those with imaginary modes first, the lowest frequency at the front. */
export function namedWaves({ bands }: Pick<PhononsJson, 'bands'>): readonly Wave[] {
  const named = new Map(
    bands.toReversed().flatMap((point) => (point.label === undefined ? [] : [[point.label, point]])),
  );
  const depth = ({ frequencies }: PhononsJson['bands'][number]): number =>
    Math.min(0, ...frequencies.filter((frequency) => frequency < IMAGINARY));
  return [...named.values()]
    .toReversed()
    .toSorted((a, b) => depth(a) - depth(b))
    .map(({ label = '', q, frequencies }) => ({
      name: label,
      q,
      imaginary: frequencies.filter((frequency) => frequency < IMAGINARY).length,
    }));
}

/** A mode of the figure: the index of its wave vector in `bands`, and its index among the modes. */
export type ModePlace = readonly [at: number, mode: number];

const BANDS_SHARE = 0.74;
const NARROW_PX = 560;

/** Densities of states by element, summed over atoms; empty if the data has no densities by atom. */
function densitiesByElement({ structure, dos }: PhononsJson): ReadonlyMap<string, readonly number[]> {
  const sums = new Map<string, readonly number[]>();
  const parts = dos?.by_atom;
  if (!parts) return sums;
  fromPymatgenDict(structure).sites.forEach(({ species }, atom) => {
    const element = species[0]?.element ?? '';
    const part = parts[atom] ?? [];
    const known = sums.get(element);
    sums.set(element, known ? known.map((value, k) => value + (part[k] ?? 0)) : part);
  });
  return sums;
}

export function phononFigure(
  phonons: PhononsJson,
  path: PhononPath,
  colors: ChartColors,
  t: T,
  marked: readonly ModePlace[] = [],
): PlotFigure {
  const axis = axisStyle(colors);
  const [prussian = colors.ink, cinnabar = colors.ink] = colors.series;
  const { bands, dos } = phonons;
  const { distances, ticks, jumps } = path;
  const isNarrow = innerWidth < NARROW_PX;
  const end = distances.at(-1) ?? 1;
  const room = (isNarrow ? 0.085 : 0.03) * end;
  const named = ticks.filter(
    ({ distance }, at) => at === 0 || distance - (ticks[at - 1]?.distance ?? 0) >= room,
  );
  const modes = bands[0]?.frequencies.length ?? 0;
  const x: (number | null)[] = [];
  const y: (number | null)[] = [];
  const places: (ModePlace | null)[] = [];
  for (let mode = 0; mode < modes; mode++) {
    bands.forEach(({ frequencies }, at) => {
      x.push(distances[at] ?? null);
      y.push(frequencies[mode] ?? null);
      places.push([at, mode]);
      if (jumps.has(at) || at === bands.length - 1) {
        x.push(null);
        y.push(null);
        places.push(null);
      }
    });
  }
  const onPanel = { xaxis: 'x2', yaxis: 'y2' };
  const elements = [...densitiesByElement(phonons)];
  const most = (dos?.total ?? []).reduce((max, value) => Math.max(max, value), 0);
  return {
    data: [
      line(x, y, prussian, {
        hovertemplate: '%{y:.3f} THz<extra></extra>',
        showlegend: false,
        customdata: places,
      }),
      line(
        marked.map(([at]) => distances[at] ?? null),
        marked.map(([at, mode]) => bands[at]?.frequencies[mode] ?? null),
        cinnabar,
        { mode: 'markers', marker: { color: cinnabar, size: 9 }, hoverinfo: 'skip', showlegend: false },
      ),
      ...(dos
        ? [
            line(dos.total, dos.frequencies, colors.faint, {
              ...onPanel,
              name: t('total'),
              fill: 'tozerox',
              fillcolor: `${colors.faint}2e`,
            }),
          ]
        : []),
      ...(dos && elements.length > 1
        ? elements.map(([element, values], index) =>
            line(values, dos.frequencies, colors.series[(index + 1) % colors.series.length] ?? colors.ink, {
              ...onPanel,
              name: element,
            }),
          )
        : []),
    ],
    layout: {
      hovermode: 'closest',
      margin: { l: 58, r: 12, t: 34, b: 46 },
      legend: { orientation: 'h', x: 1, xanchor: 'right', y: 1.01, yanchor: 'bottom', font: { size: 12 } },
      shapes: [
        ...ticks.map(
          ({ distance }): Partial<Shape> => ({
            type: 'line',
            layer: 'below',
            xref: 'x',
            yref: 'paper',
            x0: distance,
            x1: distance,
            y0: 0,
            y1: 1,
            line: { color: colors.rule, width: 1 },
          }),
        ),
        {
          type: 'line',
          xref: 'paper',
          x0: 0,
          x1: 1,
          y0: 0,
          y1: 0,
          line: { color: colors.faint, width: 1, dash: 'dash' },
        },
      ],
      xaxis: {
        domain: [0, dos ? BANDS_SHARE : 1],
        range: [0, end],
        tickvals: named.map(({ distance }) => distance),
        ticktext: named.map(({ text }) => text),
        ticks: '',
        tickangle: 0,
      },
      yaxis: { title: { text: t('frequencyAxis'), standoff: 4 }, zeroline: false },
      ...(dos && {
        xaxis2: {
          ...axis,
          // On a narrow screen the last label of the path would overlap the zero.
          domain: [BANDS_SHARE + (isNarrow ? 0.08 : 0.03), 1],
          anchor: 'y2',
          title: { text: t(isNarrow ? 'densityAxisNarrow' : 'densityAxis'), standoff: 8, font: { size: 12 } },
          range: [0, 1.05 * most],
          nticks: 3,
        },
        yaxis2: { ...axis, anchor: 'x2', matches: 'y', showticklabels: false },
      }),
    },
  };
}

/** The density of states alone, for phonons without bands. */
export function densityFigure(phonons: PhononsJson, colors: ChartColors, t: T): PlotFigure {
  const { dos } = phonons;
  const elements = [...densitiesByElement(phonons)];
  return {
    data: dos
      ? [
          line(dos.frequencies, dos.total, colors.faint, { name: t('total'), fill: 'tozeroy' }),
          ...(elements.length > 1
            ? elements.map(([element, values], index) =>
                line(
                  dos.frequencies,
                  values,
                  colors.series[(index + 1) % colors.series.length] ?? colors.ink,
                  {
                    name: element,
                  },
                ),
              )
            : []),
        ]
      : [],
    layout: {
      showlegend: elements.length > 1,
      margin: { l: 58, r: 12, t: 34, b: 46 },
      legend: { orientation: 'h', x: 1, xanchor: 'right', y: 1.01, yanchor: 'bottom', font: { size: 12 } },
      xaxis: { title: { text: t('frequencyAxis') }, nticks: 8 },
      yaxis: { title: { text: t('densityAxis') }, rangemode: 'tozero', nticks: 5 },
    },
  };
}

/** Converts eV/K per particle to J/(mol K). */
const JOULE_PER_MOL = 96_485.33212;

export interface ThermalCurves {
  readonly temperatures: readonly number[];
  /** kJ per mole of atoms. */
  readonly freeEnergy: readonly number[];
  /** J/(mol K), per mole of atoms. */
  readonly entropy: readonly number[];
  readonly heatCapacity: readonly number[];
}

/** Per mole of atoms. */
export function thermalCurves({ structure, thermal = [] }: PhononsJson): ThermalCurves {
  const atoms = fromPymatgenDict(structure).sites.length;
  const each = (
    value: (entry: NonNullable<PhononsJson['thermal']>[number]) => number,
    factor: number,
  ): number[] => thermal.map((entry) => (value(entry) * factor) / atoms);
  return {
    temperatures: thermal.map(({ temperature }) => temperature),
    freeEnergy: each(({ free_energy: value }) => value, JOULE_PER_MOL / 1000),
    entropy: each(({ entropy: value }) => value, JOULE_PER_MOL),
    heatCapacity: each(({ heat_capacity: value }) => value, JOULE_PER_MOL),
  };
}

export function thermalFigure(curves: ThermalCurves, colors: ChartColors, t: T): PlotFigure {
  const [prussian = colors.ink, cinnabar = colors.ink, malachite = colors.ink] = colors.series;
  const { temperatures } = curves;
  const joules = '%{y:.2f} J/(mol K)<br>%{x} K<extra></extra>';
  return {
    data: [
      line(temperatures, curves.heatCapacity, prussian, { name: t('heatCapacity'), hovertemplate: joules }),
      line(temperatures, curves.entropy, malachite, { name: t('entropy'), hovertemplate: joules }),
      line(temperatures, curves.freeEnergy, cinnabar, {
        name: t('freeEnergy'),
        yaxis: 'y2',
        hovertemplate: '%{y:.2f} kJ/mol<br>%{x} K<extra></extra>',
      }),
    ],
    layout: {
      margin: { l: 70, r: 24, t: 34, b: 46 },
      legend: { orientation: 'h', x: 1, xanchor: 'right', y: 1.01, yanchor: 'bottom', font: { size: 12 } },
      xaxis: { title: { text: t('temperatureAxis') }, anchor: 'y2', mirror: 'all', nticks: 6 },
      yaxis: { title: { text: t('entropyAxis') }, domain: [0.42, 1], nticks: 5, rangemode: 'tozero' },
      yaxis2: {
        ...axisStyle(colors),
        title: { text: t('freeEnergyAxis') },
        domain: [0, 0.36],
        nticks: 4,
      },
    },
  };
}
