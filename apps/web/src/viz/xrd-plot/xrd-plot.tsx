/**
 * A calculated powder pattern: the profile, and its reflections with hover texts, the strong ones labelled; and the slider
 * of the angles that a powder pattern shows.
 */
import { RangeSlider } from '@mantine/core';
import type { MaterialXrd } from '@unitcell/contract/matdata';
import type { Data } from 'plotly.js';
import { type ReactNode, useCallback, useMemo } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import classes from '../figure.module.css';
import type { ChartColors } from '../plot/chart-theme.ts';
import { Plot } from '../plot/plot.tsx';
import type { PlotFigure } from '../plot/plot-figure.ts';
import { namedReflections, reflectionsOf, strongestReflections } from './reflections.ts';

const xrdPlotTexts = defineTexts('xrd-plot', {
  x: ['2θ (°)', '2θ (°)'],
  y: ['Intensity (a. u.)', '强度（任意单位）'],
  summary: [
    'Calculated powder pattern of {{formula}} for a wavelength of {{wavelength}} Å and particles of {{size}} nm. Strongest reflections: {{strongest}}.',
    '{{formula}} 的计算粉末衍射图谱，波长 {{wavelength}} Å，晶粒尺寸 {{size}} nm。最强衍射峰：{{strongest}}。',
  ],
  intensity: ['intensity', '强度'],
  range: ['2θ range', '2θ 范围'],
  from: ['2θ from (°)', '2θ 起点 (°)'],
  to: ['2θ to (°)', '2θ 终点 (°)'],
});

interface XrdPlotProps {
  readonly pattern: MaterialXrd;
  readonly formula: string;
  /** Degrees of 2θ shown. */
  readonly range: readonly [number, number];
  readonly name: string;
}

/** Drawings narrower than this get fewer labels. */
const NARROW_PX = 560;
const NARROW_NAME_WIDTH = 0.09;

export function XrdPlot({ pattern, formula, range, name }: XrdPlotProps) {
  const { t } = useTexts(xrdPlotTexts);
  const reflections = useMemo(() => reflectionsOf(pattern), [pattern]);
  const figure = useCallback(
    (colors: ChartColors): PlotFigure => {
      const named = namedReflections(
        reflections,
        range,
        innerWidth < NARROW_PX ? NARROW_NAME_WIDTH : undefined,
      );
      const [prussian = colors.ink] = colors.series;
      return {
        data: [
          {
            type: 'scatter',
            mode: 'lines',
            x: pattern.x,
            y: pattern.y,
            line: { color: prussian, width: 1.4 },
            hoverinfo: 'skip',
          },
          {
            type: 'scatter',
            mode: 'markers',
            x: reflections.map(({ twoThetaDeg }) => twoThetaDeg),
            y: reflections.map((peak) => peak.height),
            text: reflections.map(
              ({ forms, dSpacing, intensity }) =>
                `${forms.replaceAll(', (', '<br>(')}<br>d = ${dSpacing ?? '-'} Å<br>${t('intensity')} ${intensity.toFixed(2)}`,
            ),
            hovertemplate: '2θ = %{x:.3f}°<br>%{text}<extra></extra>',
            marker: { size: 9, opacity: 0, color: colors.highlight },
          },
          {
            type: 'scatter',
            mode: 'markers',
            x: reflections.map(({ twoThetaDeg }) => twoThetaDeg),
            y: reflections.map(() => TICKS_AT),
            hoverinfo: 'skip',
            marker: { symbol: 'line-ns-open', size: 7, color: colors.faint, line: { width: 1 } },
          },
        ] as Data[],
        layout: {
          showlegend: false,
          hovermode: 'x',
          hoverdistance: 12,
          margin: { l: 56, r: 14, t: 18, b: 48 },
          xaxis: { title: { text: t('x') }, range: [...range] },
          yaxis: { title: { text: t('y') }, range: [TICKS_AT * 2, 112], tickvals: [0, 25, 50, 75, 100] },
          annotations: named.map(({ twoThetaDeg, height: peak, name: text }) => ({
            x: twoThetaDeg,
            y: peak,
            text,
            showarrow: false,
            yshift: 10,
            font: { size: 11, color: colors.ink },
          })),
        },
      };
    },
    [pattern, reflections, range, t],
  );
  return (
    <Plot
      figure={figure}
      height={400}
      name={name}
      summary={t('summary', {
        formula,
        wavelength: pattern.wavelength,
        size: pattern.crystal_size,
        strongest: strongestReflections(reflections) || '-',
      })}
      table={() => ({
        header: ['2theta (deg)', 'intensity'],
        rows: pattern.x.map((angle, index) => [angle, pattern.y[index]]),
      })}
    />
  );
}

/** Height of the row of ticks below the profile that marks where reflections are. */
const TICKS_AT = -4;

// ── The angles that a chart shows ──

interface AngleRangeProps {
  readonly whole: readonly [number, number];
  readonly range: readonly [number, number];
  readonly onRange: (range: readonly [number, number]) => void;
  /** Minimum distance in degrees between the ends of the slider. */
  readonly least?: number;
  readonly marks?: readonly number[];
  readonly className?: string | undefined;
  /** Text after the range. */
  readonly children?: ReactNode;
}

/** The range of 2θ that a chart shows, with its slider. */
export function AngleRange(props: AngleRangeProps) {
  const { t } = useTexts(xrdPlotTexts);
  const { whole, range, onRange, least = 2, marks = [], className = classes.angles, children } = props;
  return (
    <div className={className}>
      <span className={classes.anglesLabel}>
        {t('range')}: {range[0]}° – {range[1]}°{children}
      </span>
      <RangeSlider
        size="xs"
        min={whole[0]}
        max={whole[1]}
        minRange={least}
        value={[range[0], range[1]]}
        onChange={onRange}
        marks={marks.map((value) => ({ value, label: `${value}°` }))}
        label={(value) => `${value}°`}
        thumbFromLabel={t('from')}
        thumbToLabel={t('to')}
      />
    </div>
  );
}
