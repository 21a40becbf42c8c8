/** A measured powder pattern, and what is laid over it. */
import { useCallback } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { ChartColors } from '../plot/chart-theme.ts';
import { Plot, type PlotFigure } from '../plot/plot.tsx';
import { matchFigure, type MatchPicture, strongestReflections } from './match-figure.ts';
import { matchPlotTexts } from './texts.ts';

interface MatchPlotProps {
  /** Keep it stable (useMemo): a new one draws anew. */
  readonly picture: MatchPicture;
  /** Name of exported files, without extension. */
  readonly name: string;
  readonly height?: number;
}

/** The library's own tips are in English only; the page says how to zoom. */
const CONFIG = { showTips: false };

export function MatchPlot({ picture, name, height = 440 }: MatchPlotProps) {
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
