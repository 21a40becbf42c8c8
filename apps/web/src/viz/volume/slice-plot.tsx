/** A slice of volumetric data as a heat map in its true shape, with its plane and position. */
import { Slider } from '@mantine/core';
import type { Mat3 } from '@unitcell/numerics';
import type { Data } from 'plotly.js';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import { useTexts } from '../../i18n/texts.ts';
import type { ChartColors } from '../plot/chart-theme.ts';
import { Plot, type PlotFigure } from '../plot/plot.tsx';
import type { Grid } from './isosurface.ts';
import { AXES, type Axis, sliceOf } from './slice.ts';
import { volumeTexts } from './texts.ts';
import { shortValue } from './volume-numbers.ts';
import classes from '../figure.module.css';

interface SlicePlotProps {
  readonly grid: Grid;
  readonly cell: Mat3;
  readonly formula: string;
  /** Of the values; may be empty. */
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
            // A constant still needs a scale with two ends.
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
      <p className={classes.volumeNote}>{t('sliceNote')}</p>
    </div>
  );
}
