/**
 * A chart: drawn by plotly.js in the look of the site, with its data as CSV, the picture as PNG, SVG or PDF, and a
 * sentence that says what it shows to those who cannot see it.
 */
import { useComputedColorScheme } from '@mantine/core';
import type * as Plotly from 'plotly.js';
import type { Config, Data, Layout, LegendClickEvent, PlotMouseEvent } from 'plotly.js';
import { Suspense, useEffect, useRef, useState } from 'react';
import { IconChevronDown } from '@tabler/icons-react';
import { useDownload } from '../../components/file-origin.tsx';
import { PanelBoundary } from '../../components/failure.tsx';
import { componentTexts } from '../../components/texts.ts';
import { ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { type CsvValue, toCsv } from '../../lib/download.ts';
import { fetchCode, lazyPart } from '../../lib/lazy-part.tsx';
import { useNear } from '../../lib/use-near.ts';
import { type ChartColors, chartColors, chartLayout } from './chart-theme.ts';
import {
  FIGURE_CM,
  FIGURE_FORMATS,
  FIGURE_SIZES,
  type FigureFormat,
  figureLayout,
  type FigureSize,
  PAPER_COLORS,
  printFigure,
  svgOnPaper,
} from './figure-sizes.ts';
import { MenuButton } from '../../components/menu-button.tsx';
import classes from '../figure.module.css';
import toolbar from '../../components/toolbar.module.css';

interface FigureMenuProps {
  readonly isDisabled: boolean;
  readonly onSave: (format: FigureFormat, size: FigureSize) => void;
}

/** The chart as a figure for a paper: one or two columns wide, as PDF, SVG or PNG. */
function FigureMenu({ isDisabled, onSave }: FigureMenuProps) {
  const { t } = useTexts(componentTexts);
  const actions = () =>
    FIGURE_SIZES.flatMap((size) =>
      FIGURE_FORMATS.map((format) => ({
        label: `${t(size === 'single' ? 'figureSingle' : 'figureDouble', { cm: FIGURE_CM[size].width })}, ${format.toUpperCase()}`,
        onClick: () => onSave(format, size),
      })),
    );
  return (
    <MenuButton
      className={toolbar.button}
      title={t('figureForPaper')}
      isDisabled={isDisabled}
      actions={actions}
      note={t('figureNote')}
    >
      {t('figure')} <IconChevronDown size={14} aria-hidden="true" />
    </MenuButton>
  );
}

export interface PlotFigure {
  readonly data: Data[];
  readonly layout: Partial<Layout>;
}

export interface PlotTable {
  /** Lines of the file before its header: what its figures are bound by. */
  readonly remarks?: readonly string[];
  readonly header: readonly string[];
  readonly rows: readonly (readonly CsvValue[])[];
}

/** px */
export interface PaperSize {
  readonly width: number;
  readonly height: number;
}

interface PlotProps {
  /** Draws with the colours of the current scheme, for the page or a paper. Keep it stable (useCallback): a new one draws anew. */
  readonly figure: (colors: ChartColors, paper?: PaperSize) => PlotFigure;
  /** What the chart shows, in a sentence. */
  readonly summary: string;
  /** Name of exported files, without extension. */
  readonly name: string;
  /** The numbers behind the chart. */
  readonly table?: () => PlotTable;
  /** Called with the point clicked: its curve, index and customdata. */
  readonly onPoint?: (point: PlotMouseEvent['points'][number]) => void;
  /** Called with the point under the pointer, and with null when it has left. */
  readonly onHover?: (point: PlotMouseEvent['points'][number] | null) => void;
  /** Called with the index of the series whose legend entry was clicked, instead of hiding or showing it. */
  readonly onLegend?: (curveNumber: number) => void;
  /** 3 loads the chart types in space. */
  readonly dimensions?: 2 | 3;
  readonly height?: number;
  readonly config?: Partial<Config>;
}

const CONFIG: Partial<Config> = {
  displaylogo: false,
  responsive: true,
  displayModeBar: false,
  doubleClick: 'reset',
};

const PlotNumbers = lazyPart(async () => (await import('./plot-numbers.tsx')).PlotNumbers);

type PlotlyLibrary = typeof Plotly;

const loadLibrary = async (dimensions: 2 | 3): Promise<PlotlyLibrary> =>
  (await fetchCode(() => (dimensions === 3 ? import('./plotly-3d.ts') : import('./plotly-2d.ts')))).Plotly;

export function Plot(props: PlotProps) {
  const { figure, summary, name, table, onPoint, onHover, onLegend } = props;
  const { dimensions = 2, height = 420, config } = props;
  const { t } = useTexts(componentTexts);
  const download = useDownload();
  const host = useRef<HTMLDivElement>(null);
  const [plotly, setPlotly] = useState<PlotlyLibrary | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [hasNumbers, setHasNumbers] = useState(false);
  const numbers = hasNumbers ? table?.() : undefined;
  const scheme = useComputedColorScheme();
  const isNear = useNear(host);

  useEffect(() => {
    if (!isNear) return undefined;
    let isGone = false;
    let library: PlotlyLibrary | null = null;
    const element = host.current;
    const load = async (): Promise<void> => {
      try {
        library = await loadLibrary(dimensions);
        if (!isGone) setPlotly(library);
      } catch (cause) {
        if (!isGone) setError(cause);
      }
    };
    void load();
    return () => {
      isGone = true;
      if (element) library?.purge(element);
    };
  }, [dimensions, isNear]);

  useEffect(() => {
    const element = host.current;
    if (!plotly || !element) return;
    const colors = chartColors(element);
    const { data, layout } = figure(colors);
    plotly
      .react(element, data, chartLayout(colors, { height, ...layout }), { ...CONFIG, ...config })
      .catch(setError);
    // Another colour scheme gives other computed colours.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [plotly, figure, height, config, scheme]);

  useEffect(() => {
    const element: (HTMLDivElement & PlotlyEvents) | null = host.current;
    if (!plotly || !element?.on || !onPoint) return undefined;
    const click = (event: PlotMouseEvent): void => {
      const [point] = event.points;
      if (point) onPoint(point);
    };
    element.on('plotly_click', click);
    return () => element.removeListener?.('plotly_click', click);
  }, [plotly, onPoint]);

  useEffect(() => {
    const element: (HTMLDivElement & PlotlyEvents) | null = host.current;
    if (!plotly || !element?.on || !onHover) return undefined;
    const enter = (event: PlotMouseEvent): void => onHover(event.points[0] ?? null);
    const leave = (): void => onHover(null);
    element.on('plotly_hover', enter);
    element.on('plotly_unhover', leave);
    return () => {
      element.removeListener?.('plotly_hover', enter);
      element.removeListener?.('plotly_unhover', leave);
    };
  }, [plotly, onHover]);

  useEffect(() => {
    const element: (HTMLDivElement & PlotlyEvents) | null = host.current;
    if (!plotly || !element?.on || !onLegend) return undefined;
    const toggle = ({ curveNumber }: { readonly curveNumber: number }): boolean => {
      onLegend(curveNumber);
      return false;
    };
    element.on('plotly_legendclick', toggle);
    return () => element.removeListener?.('plotly_legendclick', toggle);
  }, [plotly, onLegend]);

  const savePicture = async (format: 'png' | 'svg'): Promise<void> => {
    const element = host.current;
    if (!plotly || !element) return;
    const size = { width: element.clientWidth, height: element.clientHeight };
    download.picture(
      `${name}.${format}`,
      await plotly.toImage(element, { format, scale: format === 'png' ? 2 : 1, ...size }),
    );
  };
  const saveFigure = async (format: FigureFormat, size: FigureSize): Promise<void> => {
    if (!plotly) return;
    const { width, height: tall, scale } = figureLayout(size);
    const { data, layout } = figure(PAPER_COLORS, { width, height: tall });
    const drawing = { data, layout: chartLayout(PAPER_COLORS, { ...layout, width, height: tall }) };
    const file = `${name}-${size}`;
    const isPng = format === 'png';
    const url = await plotly.toImage(drawing, {
      format: isPng ? 'png' : 'svg',
      width,
      height: tall,
      scale: isPng ? scale : 1,
    });
    if (isPng) return download.picture(`${file}.png`, url);
    const svg = svgOnPaper(decodeURIComponent(url.slice(url.indexOf(',') + 1)), size);
    if (format === 'pdf') await printFigure({ name: file, svg, ...FIGURE_CM[size] });
    else download.svg(`${file}.svg`, svg);
  };
  const saveTable = (): void => {
    const content = table?.();
    if (content) download.csv(`${name}.csv`, toCsv(content.header, content.rows, content.remarks));
  };
  // A plot that cannot be drawn is a fault of its panel.
  if (error) throw error;
  return (
    <div className={classes.plot}>
      <div className={classes.tools}>
        <ToolbarButtons
          label={t('plotTools')}
          buttons={[
            { id: 'png', label: t('exportPng'), isDisabled: !plotly, onClick: () => void savePicture('png') },
            { id: 'svg', label: t('exportSvg'), isDisabled: !plotly, onClick: () => void savePicture('svg') },
            ...(table
              ? [
                  { id: 'csv', label: t('exportData'), onClick: saveTable },
                  {
                    id: 'numbers',
                    label: t('numbers'),
                    title: t('numbersTitle'),
                    isOn: hasNumbers,
                    onClick: () => setHasNumbers(!hasNumbers),
                  },
                ]
              : []),
          ]}
        />
        <FigureMenu
          isDisabled={!plotly}
          onSave={(format, size) => void saveFigure(format, size).catch(setError)}
        />
      </div>
      {/* An <img> cannot hold the drawing. */}
      {/* oxlint-disable jsx-a11y/prefer-tag-over-role */}
      <div
        ref={host}
        role="img"
        aria-label={summary}
        className={classes.canvas}
        style={{ minHeight: height }}
      >
        {!plotly && <span className={classes.loading}>{t('plotLoading')}</span>}
      </div>
      {/* oxlint-enable */}
      {numbers && (
        <PanelBoundary>
          <Suspense>
            <PlotNumbers label={t('numbersOf', { chart: summary })} table={numbers} />
          </Suspense>
        </PanelBoundary>
      )}
    </div>
  );
}

interface PlotlyEvents {
  on?: PlotlyListening<void>;
  /** Gone with the drawing, which is purged before the listeners are taken off. */
  removeListener?: PlotlyListening<void>;
}

interface PlotlyListening<Result> {
  (
    event: 'plotly_click' | 'plotly_hover' | 'plotly_unhover',
    listener: (event: PlotMouseEvent) => void,
  ): Result;
  (event: 'plotly_legendclick', listener: (event: LegendClickEvent) => boolean): Result;
}
