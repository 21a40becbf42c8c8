/** A second measured pattern over the first: scale, overlay and difference. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReceivedPattern, XrdData } from '@unitcell/contract/xrd';
import { MAX_PATTERN_BYTES } from '@unitcell/contract/xrd/rules';
import { useCallback, useMemo, useState } from 'react';
import { PanelBoundary, useFailure } from '../../../components/failure.tsx';
import { FileChoice } from '../../../components/file-choice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { NumberBox } from '../../../components/number-box.tsx';
import { Panel } from '../../../components/section.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { ApiError } from '../../../lib/api-client.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import {
  matchPlotTexts,
  bestScale,
  type Curve,
  HEADROOM,
  line,
  panels,
  patternLayout,
  resample,
} from '../../../viz/xrd-match-plot/match-figure.ts';
import { uploadPattern } from '../matching.ts';
import refine from '../refine/refine.module.css';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';

const texts = defineTexts('xrd-compare', {
  lead: [
    'A second file is drawn over the pattern above, scaled by least squares or by your factor.',
    '将第二个文件叠加在上方图谱上，比例由最小二乘或自定系数给出。',
  ],
  choose: ['Choose the second pattern', '选择第二个图谱'],
  reading: ['Reading…', '正在读取…'],
  scale: ['Scale of the second pattern', '第二个图谱的比例'],
  automatic: ['least squares: {{scale}}', '最小二乘：{{scale}}'],
  tooLarge: ['{{name}} is larger than 2 MB.', '{{name}} 超过 2 MB。'],
  apart: [
    '{{name}} covers {{from}}° to {{to}}° and has no range in common with the pattern above.',
    '{{name}} 的范围为 {{from}}° 到 {{to}}°，与上方图谱没有共同区间。',
  ],
  wavelengths: [
    'The files name different radiation ({{first}} and {{second}}): angles are not comparable.',
    '两个文件的辐射不同（{{first}} 与 {{second}}）：角度不可比。',
  ],
  summary: [
    '{{first}} and {{second}} (times {{scale}}) from {{from}}° to {{to}}° 2θ; the curve below is the difference. Residual: {{residual}} %.',
    '{{first}} 与 {{second}}（乘以 {{scale}}），2θ 从 {{from}}° 到 {{to}}°；下方曲线为差值。残差 {{residual}} %。',
  ],
});

interface ComparePartProps {
  /** The pattern in the chart. */
  readonly data: XrdData;
  readonly name: string;
  /** Radiation named in the file of the pattern. */
  readonly radiation: string | undefined;
}

const [HEIGHT, NARROW_HEIGHT] = [420, 360];
const CONFIG = { showTips: false };

export function ComparePart({ data, name, radiation }: ComparePartProps) {
  const { t } = useTexts(texts);
  const { t: plotText } = useTexts(matchPlotTexts);
  const sentence = useFailure();
  const isNarrow = useIsCompact();
  const [scale, setScale] = useState<number | null>(null);
  const reading = useMutation<ReceivedPattern, Error, File>({
    mutationFn: (file) => {
      if (file.size > MAX_PATTERN_BYTES) throw new ApiError(413, t('tooLarge', { name: file.name }));
      return uploadPattern(file);
    },
  });
  const other = reading.data;
  const found = useMemo(() => other && compare(data, other, scale), [data, other, scale]);
  const automatic = useMemo(() => (other && compare(data, other, null)?.scale) ?? 1, [data, other]);
  const second = other?.file_name ?? '';
  const figure = useCallback(
    (colors: ChartColors) =>
      comparisonFigure(
        found ?? { x: [], first: [], second: [], difference: [], scale: 1, residual: 0 },
        {
          first: name,
          second: `${second} × ${Number((found?.scale ?? 1).toPrecision(3))}`,
          difference: plotText('difference'),
          x: plotText('x'),
          y: plotText('y'),
        },
        colors,
      ),
    [found, name, second, plotText],
  );
  const otherRadiation = other?.measurement?.radiation;
  return (
    <div className={refine.result}>
      <p className="uc-hint">{t('lead')}</p>
      <div className={`uc-row ${refine.tools}`}>
        <FileChoice onChange={(file) => file && reading.mutate(file)} disabled={reading.isPending}>
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={reading.isPending}>
              {reading.isPending ? t('reading') : t('choose')}
            </Button>
          )}
        </FileChoice>
        {found && (
          <NumberBox
            size="xs"
            label={t('scale')}
            min={0}
            value={scale}
            placeholder={t('automatic', { scale: Number(automatic.toPrecision(3)) })}
            onChange={(next) => setScale(next !== null && next > 0 ? next : null)}
          />
        )}
      </div>
      {reading.error && <Notice kind="problem">{sentence(reading.error)}</Notice>}
      {other && found === null && (
        <Notice kind="problem">
          {t('apart', {
            name: second,
            from: (other.x[0] ?? 0).toFixed(1),
            to: (other.x.at(-1) ?? 0).toFixed(1),
          })}
        </Notice>
      )}
      {found && radiation && otherRadiation && radiation !== otherRadiation && (
        <Notice kind="problem">{t('wavelengths', { first: radiation, second: otherRadiation })}</Notice>
      )}
      {found && (
        <Panel>
          <PanelBoundary>
            <Plot
              figure={figure}
              height={isNarrow ? NARROW_HEIGHT : HEIGHT}
              name={`${name}-compared`}
              summary={t('summary', {
                first: name,
                second,
                scale: Number(found.scale.toPrecision(3)),
                from: (found.x[0] ?? 0).toFixed(2),
                to: (found.x.at(-1) ?? 0).toFixed(2),
                residual: formatNumber(100 * found.residual, { decimals: 1 }),
              })}
              config={CONFIG}
              table={() => ({
                header: ['2theta (deg)', name, `${second} x ${found.scale}`, 'difference'],
                rows: found.x.map((angle, i) => [
                  angle,
                  found.first[i],
                  found.second[i],
                  found.difference[i],
                ]),
              })}
            />
          </PanelBoundary>
        </Panel>
      )}
    </div>
  );
}

/* Comparison of two measured patterns: scales the second to the first where they overlap, and subtracts it. */

export interface Comparison {
  /** 2θ in degrees: angles of the first pattern that the second one covers. */
  readonly x: readonly number[];
  readonly first: readonly number[];
  /** Intensities of the second pattern at the same angles, multiplied by the scale. */
  readonly second: readonly number[];
  /** First minus second. */
  readonly difference: readonly number[];
  readonly scale: number;
  /** √(Σ difference² / Σ first²): 0 for patterns that differ only by a factor. */
  readonly residual: number;
}

const LEAST_POINTS = 10;

/**
 * @param scale factor for the second pattern; null: determined by least squares
 * @returns null if fewer than ten angles of the first pattern lie in the range of the second
 */
export function compare(first: Curve, second: Curve, scale: number | null): Comparison | null {
  const [from = 0, to = 0] = [second.x[0], second.x.at(-1)];
  const shared = first.x.flatMap((angle, i) => (angle >= from && angle <= to ? [i] : []));
  if (shared.length < LEAST_POINTS) return null;
  const x = shared.map((i) => first.x[i] ?? 0);
  const own = shared.map((i) => first.y[i] ?? 0);
  const raw = resample(second, x);
  const factor = scale ?? bestScale(own, raw);
  const scaled = raw.map((value) => factor * value);
  const difference = own.map((value, i) => value - (scaled[i] ?? 0));
  const squares = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value * value, 0);
  return {
    x,
    first: own,
    second: scaled,
    difference,
    scale: factor,
    residual: Math.sqrt(squares(difference) / (squares(own) || 1)),
  };
}

export function comparisonFigure(
  { x, first, second, difference }: Comparison,
  names: Readonly<Record<'first' | 'second' | 'difference' | 'x' | 'y', string>>,
  colors: ChartColors,
): PlotFigure {
  const [, cinnabar = colors.ink, malachite = colors.ink] = colors.series;
  const top = [...first, ...second].reduce((best, value) => Math.max(best, value), Number.MIN_VALUE);
  const bottom = [...first, ...second].reduce((least, value) => Math.min(least, value), 0);
  return {
    data: [
      line({ x, y: first }, names.first, colors.ink, 1.2),
      line({ x, y: second }, names.second, cinnabar, 1.2),
      line({ x, y: difference }, names.difference, malachite, 1, { yaxis: 'y2' }),
    ],
    layout: {
      showlegend: true,
      ...patternLayout(
        { title: names.x, range: [x[0] ?? 0, x.at(-1) ?? 0] },
        { title: names.y, range: [bottom, top * (1 + HEADROOM)] },
        panels(difference, top - bottom),
        colors,
      ),
    },
  };
}
