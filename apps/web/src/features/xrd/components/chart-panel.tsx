/** The chart with its range; a placeholder frame without a pattern. */
import { RangeSlider } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { PanelBoundary } from '../../../components/failure.tsx';
import { Panel } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';
import {
  matchFigure,
  type MatchFigure,
  matchPlotTexts,
  strongestReflections,
} from '../../../viz/xrd-match-plot/match-figure.ts';
import { xrdTexts } from '../texts.ts';
import type { PictureContent } from '../view-model.ts';
import classes from './xrd.module.css';

interface MatchPlotProps {
  /** Must be memoised: a new object redraws the figure. */
  readonly picture: MatchFigure;
  /** Name of exported files, without extension. */
  readonly name: string;
  readonly height?: number;
}

/** The library's tips are only in English, so the page explains zooming. */
const CONFIG = { showTips: false };

/** A measured powder pattern with overlays. */
function MatchPlot({ picture, name, height = 440 }: MatchPlotProps) {
  const { t } = useTexts(matchPlotTexts);
  const figure = useCallback(
    (colors: ChartColors): PlotFigure => matchFigure(picture, colors, t),
    [picture, t],
  );
  const { measured, reference, before, unexplained } = picture;
  const highest = measured.y.reduce((best, value, at) => (value > (measured.y[best] ?? 0) ? at : best), 0);
  const summary = [
    t('summaryMeasured', {
      n: measured.x.length,
      from: (measured.x[0] ?? 0).toFixed(2),
      to: (measured.x.at(-1) ?? 0).toFixed(2),
      highest: (measured.x[highest] ?? 0).toFixed(2),
    }),
    ...(reference
      ? [
          t('summaryReference', {
            name: reference.name,
            strongest: strongestReflections(reference.reflections) || '-',
          }),
        ]
      : []),
    ...(unexplained.length > 0
      ? [
          t('summaryUnexplained', {
            n: unexplained.length,
            peaks: unexplained.map((angle) => `${angle.toFixed(2)}°`).join(', '),
          }),
        ]
      : []),
  ].join(' ');
  return (
    <Plot
      figure={figure}
      height={height}
      name={name}
      summary={summary}
      config={CONFIG}
      table={() => ({
        header: [
          '2theta (deg)',
          'measured',
          ...(before ? ['before'] : []),
          ...(reference ? ['calculated', 'difference'] : []),
        ],
        rows: measured.x.map((angle, index) => [
          angle,
          measured.y[index],
          ...(before ? [before.y[index]] : []),
          ...(reference ? [reference.overlay.calculated[index], reference.overlay.difference[index]] : []),
        ]),
      })}
    />
  );
}

interface ChartPanelProps {
  /** Everything except the view; null without a pattern. */
  readonly content: PictureContent | null;
  /** True while a pattern is loading: the frame already has its final size. */
  readonly isAwaited: boolean;
  /** True without results below: in wide windows the chart is then about as high as the form beside it. */
  readonly isAlone: boolean;
  /** Name of exported files. */
  readonly name: string;
}

const HEIGHT = 430;
const HEIGHT_ALONE = 640;
const NARROW_HEIGHT = 380;

/** Minimum distance in degrees between the ends of the slider. */
const LEAST_RANGE_DEG = 2;

export function ChartPanel({ content, isAwaited, isAlone, name }: ChartPanelProps) {
  const { t } = useTexts(xrdTexts);
  if (!content)
    return (
      <Panel>
        <p className={classes.empty} data-awaited={isAwaited || undefined} data-alone={isAlone || undefined}>
          {t('idle')}
        </p>
      </Panel>
    );
  const { x } = content.measured;
  const whole = [Math.floor(x[0] ?? 0), Math.ceil(x.at(-1) ?? 180)] as const;
  return (
    <Panel>
      <div className={classes.filled} data-alone={isAlone || undefined}>
        <PanelBoundary>
          <RangedPlot
            key={whole.join(' ')}
            content={content}
            whole={whole}
            name={name}
            height={isAlone ? HEIGHT_ALONE : HEIGHT}
          />
        </PanelBoundary>
      </div>
    </Panel>
  );
}

interface RangedPlotProps {
  readonly content: PictureContent;
  readonly whole: readonly [number, number];
  readonly name: string;
  /** px, in wide windows. */
  readonly height: number;
}

function RangedPlot({ content, whole, name, height }: RangedPlotProps) {
  const { t } = useTexts(xrdTexts);
  const isNarrow = useIsCompact();
  const [range, setRange] = useState<readonly [number, number]>(whole);
  const picture = useMemo(() => ({ ...content, range, isNarrow }), [content, range, isNarrow]);
  return (
    <>
      <MatchPlot picture={picture} name={name} height={isNarrow ? NARROW_HEIGHT : height} />
      <div className={classes.range}>
        <span className={classes.rangeLabel}>
          {t('range')}: {range[0]}° – {range[1]}° <span className={classes.zoomHint}>{t('zoomHint')}</span>
        </span>
        <RangeSlider
          size="xs"
          min={whole[0]}
          max={whole[1]}
          minRange={LEAST_RANGE_DEG}
          value={[range[0], range[1]]}
          onChange={setRange}
          label={(value) => `${value}°`}
          thumbFromLabel={t('from')}
          thumbToLabel={t('to')}
        />
      </div>
    </>
  );
}
