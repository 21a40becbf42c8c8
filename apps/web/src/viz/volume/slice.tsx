/** A plane through periodic data, in its true shape. */
import { Slider } from '@mantine/core';
import { dot3, type Mat3, norm3 } from '@unitcell/numerics';
import type { Data } from 'plotly.js';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import { useTexts } from '../../i18n/texts.ts';
import classes from '../figure.module.css';
import type { ChartColors } from '../plot/chart-theme.ts';
import { Plot } from '../plot/plot.tsx';
import type { PlotFigure } from '../plot/plot-figure.ts';
import { type Grid, valueAt } from './isosurface.ts';
import { volumeTexts } from './texts.ts';
import { shortValue } from './volume-numbers.ts';

interface SlicePlotProps {
  readonly grid: Grid;
  readonly cell: Mat3;
  readonly formula: string;
  /** Unit of the values; may be empty. */
  readonly unit: string;
  readonly hasBothSigns: boolean;
  readonly name: string;
}

const HEIGHT = 400;
const STEPS = 100;

export function SlicePlot({ grid, cell, formula, unit, hasBothSigns, name }: SlicePlotProps) {
  const { t } = useTexts(volumeTexts);
  const [axis, setAxis] = useState<Axis>('c');
  const [step, setStep] = useState(0);
  const fraction = useDeferredValue(step) / STEPS;
  const slice = useMemo(() => sliceOf(grid, cell, axis, fraction), [grid, cell, axis, fraction]);
  const figure = useCallback(
    (colors: ChartColors): PlotFigure => {
      const [first] = slice.axes;
      const reach = Math.max(Math.abs(slice.colors[0]), Math.abs(slice.colors[1]));
      const [zmin, zmax] = hasBothSigns ? [-reach, reach] : slice.colors;
      return {
        data: [
          {
            type: 'heatmap',
            x: slice.x,
            y: slice.y,
            z: slice.values,
            zmin,
            // The colour scale needs two different ends, also for constant values.
            zmax: zmax > zmin ? zmax : zmin + 1e-6,
            colorscale: hasBothSigns ? 'RdBu' : 'Cividis',
            hoverongaps: false,
            hovertemplate: `%{z:.4g} ${unit}<extra></extra>`,
            colorbar: {
              title: { text: unit, side: 'right', font: { size: 12 } },
              thickness: 10,
              outlinewidth: 0,
              tickfont: { size: 11, color: colors.ink },
            },
          } as unknown as Data,
        ],
        layout: {
          margin: { l: 48, r: 8, t: 8, b: 44 },
          xaxis: { title: { text: t('distance', { axis: first }) }, constrain: 'domain' },
          yaxis: { title: { text: t('across', { axis: first }) }, scaleanchor: 'x', constrain: 'domain' },
        },
      };
    },
    [slice, hasBothSigns, unit, t],
  );
  const text = fraction.toFixed(2);
  return (
    <div className={classes.drawing}>
      <div className={classes.controls}>
        <ToolbarButtons
          label={t('plane')}
          buttons={AXES.map((one) => ({
            id: one,
            label: one,
            title: t('planeAcross', { axis: one }),
            isOn: one === axis,
            onClick: () => setAxis(one),
          }))}
        />
        <div className={classes.slider}>
          <span>{t('fraction')}</span>
          <Slider
            size="sm"
            min={0}
            max={STEPS}
            value={step}
            onChange={setStep}
            label={null}
            thumbLabel={t('fractionName', { axis })}
            scale={(value) => value / STEPS}
          />
          <output className={classes.value}>
            {axis} = {text}
          </output>
        </div>
      </div>
      <Plot
        figure={figure}
        height={HEIGHT}
        name={`${name}-${axis}-${text}`}
        summary={t('sliceSummary', {
          formula,
          axis,
          fraction: text,
          min: shortValue(slice.min),
          max: shortValue(slice.max),
          unit,
        })}
        table={() => ({
          header: ['x (Å)', 'y (Å)', unit === '' ? 'value' : `value (${unit})`],
          rows: slice.values.flatMap((row, line) =>
            row.flatMap((value, column) =>
              value === null ? [] : [[slice.x[column] ?? 0, slice.y[line] ?? 0, value]],
            ),
          ),
        })}
      />
      <p className="uc-fine">{t('sliceNote')}</p>
    </div>
  );
}

export const AXES = ['a', 'b', 'c'] as const;
export type Axis = (typeof AXES)[number];

export const AXIS_NUMBERS = { a: 0, b: 1, c: 2 } as const;
/** The axes that span the plane across an axis, in the order that keeps the handedness of the cell. */
const PLANES = { a: ['b', 'c'], b: ['c', 'a'], c: ['a', 'b'] } as const;

export interface Slice {
  /** Coordinates of the points in Å from the origin: x along the first vector of the plane, y perpendicular to it. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Rows by y; null outside of the cell. */
  readonly values: readonly (readonly (number | null)[])[];
  readonly min: number;
  readonly max: number;
  /** Percentiles 2 and 98: otherwise a few points near the nuclei would use up all colours. */
  readonly colors: readonly [number, number];
  /** The vectors that span the plane. */
  readonly axes: readonly [Axis, Axis];
}

/** Points along the longer side. */
const POINTS = 160;
const EDGE = 1e-9;

/** @param fraction position of the plane along `across`, 0 to 1 */
export function sliceOf(grid: Grid, cell: Mat3, across: Axis, fraction: number): Slice {
  const axes = PLANES[across];
  const [normal, first, second] = [AXIS_NUMBERS[across], AXIS_NUMBERS[axes[0]], AXIS_NUMBERS[axes[1]]];
  const [u, v] = [cell[first], cell[second]];
  const width = norm3(u);
  // The vector v in the plane: its component along u, and that perpendicular to u.
  const along = dot3(u, v) / width;
  const height = Math.sqrt(Math.max(0, dot3(v, v) - along * along));
  const left = Math.min(0, along);
  const span = Math.max(width, width + along) - left;
  const step = Math.max(span, height) / POINTS;
  const count = (length: number): number => Math.max(2, Math.round(length / step) + 1);
  const x = Array.from({ length: count(span) }, (_, i, all = count(span)) => left + (span * i) / (all - 1));
  const y = Array.from({ length: count(height) }, (_, i, all = count(height)) => (height * i) / (all - 1));
  const inside: number[] = [];
  const isIn = (part: number): boolean => part > -EDGE && part < 1 + EDGE;
  const values = y.map((down) =>
    x.map((right) => {
      const ofV = down / height;
      const ofU = (right - ofV * along) / width;
      if (!isIn(ofU) || !isIn(ofV)) return null;
      const place: [number, number, number] = [0, 0, 0];
      place[normal] = fraction;
      place[first] = ofU;
      place[second] = ofV;
      const value = valueAt(grid, place);
      inside.push(value);
      return value;
    }),
  );
  inside.sort((a, b) => a - b);
  const at = (part: number): number => inside[Math.round(part * (inside.length - 1))] ?? 0;
  return {
    x,
    y,
    values,
    min: at(0),
    max: at(1),
    colors: [at(0.02), at(0.98)],
    axes,
  };
}
