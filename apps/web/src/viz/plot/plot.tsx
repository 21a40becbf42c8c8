/**
 * A chart in the look of the site, with its data as CSV, the picture as PNG, SVG or PDF, and a sentence for screen
 * readers that says what it shows.
 */
import { IconChevronDown } from '@tabler/icons-react';
import { useCallback, useRef, useState } from 'react';
import { PanelBoundary } from '../../components/failure.tsx';
import { useDownload } from '../../components/file-origin.tsx';
import { MenuButton } from '../../components/menu-button.tsx';
import { componentTexts } from '../../components/texts.ts';
import { ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import toolbar from '../../components/toolbar.module.css';
import { useTexts } from '../../i18n/texts.ts';
import { toCsv } from '../../lib/download.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import classes from '../figure.module.css';
import { type ChartColors, chartColors, chartLayout } from './chart-theme.ts';
import { Drawing, type DrawingProps, type LivePlot } from './drawing.tsx';
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
import type { PlotFigure } from './plot-figure.ts';
import type { PlotTable } from './plot-numbers.tsx';
import { canBeStill, type Settled, settle } from './settled.ts';
import { Still } from './still.tsx';

interface FigureMenuProps {
  readonly onSave: (format: FigureFormat, size: FigureSize) => void;
}

/** The chart as a figure for a paper: one or two columns wide, as PDF, SVG or PNG. */
function FigureMenu({ onSave }: FigureMenuProps) {
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
      actions={actions}
      note={t('figureNote')}
    >
      {t('figure')} <IconChevronDown size={14} aria-hidden="true" />
    </MenuButton>
  );
}

interface PlotProps extends DrawingProps {
  /** Name of exported files, without extension. */
  readonly name: string;
  /** The numbers behind the chart. */
  readonly table?: () => PlotTable;
}

const PlotNumbers = lazyPart(async () => (await import('./plot-numbers.tsx')).PlotNumbers);

/** Dots per px of the PNG that is saved from the screen. */
const SCREEN_SCALE = 2;

/** Fetched when a figure is saved. */
const drawingFile = () => import('../../lib/drawing-file.ts');

/** A static drawing as the text of an SVG file. */
async function svgOf(settled: Settled, colors: ChartColors): Promise<string> {
  const { svgText } = await drawingFile();
  return svgText(<Still settled={settled} colors={colors} />);
}

async function pngOf(svg: string, settled: Settled, scale: number): Promise<Blob> {
  const { svgPicture } = await drawingFile();
  return svgPicture(svg, settled, scale);
}

/** The SVG of a figure as printed over two columns; empty for a figure that only plotly.js can draw. */
export async function paperSvg(figure: DrawingProps['figure']): Promise<string> {
  const { scale: _, ...paper } = figureLayout('double');
  const plain = figure(PAPER_COLORS, paper);
  return canBeStill(plain) ? svgOf(settle(plain, PAPER_COLORS, paper), PAPER_COLORS) : '';
}

export function Plot({ name, table, ...drawing }: PlotProps) {
  const { figure, summary, height = 420 } = drawing;
  const { t } = useTexts(componentTexts);
  const download = useDownload();
  const host = useRef<HTMLDivElement>(null);
  const [live, setLive] = useState<LivePlot | null>(null);
  const awaitsLive = useRef<((live: LivePlot) => void)[]>([]);
  const takeLive = useCallback((next: LivePlot | null) => {
    setLive(next);
    if (next) for (const proceed of awaitsLive.current.splice(0)) proceed(next);
  }, []);
  const [error, setError] = useState<unknown>(null);
  const [hasNumbers, setHasNumbers] = useState(false);
  const numbers = hasNumbers ? table?.() : undefined;

  /** A figure that only plotly.js can draw may be saved before plotly.js has arrived. */
  const liveOrLater = async (): Promise<LivePlot> =>
    live ?? new Promise<LivePlot>((proceed) => void awaitsLive.current.push(proceed));

  /** Saves the drawing as a file: as it is now if it was rotated or zoomed, otherwise as first drawn. */
  const savePicture = async (format: 'png' | 'svg'): Promise<void> => {
    const width = host.current?.clientWidth ?? 0;
    const scale = format === 'png' ? SCREEN_SCALE : 1;
    const colors = chartColors(document.documentElement);
    const plain = figure(colors);
    if (live || !canBeStill(plain)) {
      const { plotly, element } = await liveOrLater();
      const url = await plotly.toImage(element, { format, scale, width, height });
      return download.picture(`${name}.${format}`, url);
    }
    const settled = settle(plain, colors, { width, height });
    const svg = await svgOf(settled, colors);
    if (format === 'svg') download.svg(`${name}.svg`, svg);
    else await download.png(`${name}.png`, await pngOf(svg, settled, scale));
  };
  const saveFigure = async (format: FigureFormat, size: FigureSize): Promise<void> => {
    const { scale, ...paper } = figureLayout(size);
    const plain = figure(PAPER_COLORS, paper);
    const file = `${name}-${size}`;
    if (!canBeStill(plain)) return saveLive(plain, format, size);
    const settled = settle(plain, PAPER_COLORS, paper);
    const drawn = await svgOf(settled, PAPER_COLORS);
    if (format === 'png') return download.png(`${file}.png`, await pngOf(drawn, settled, scale));
    await saveDrawn(svgOnPaper(drawn, size), format, size);
  };
  const saveDrawn = async (svg: string, format: FigureFormat, size: FigureSize): Promise<void> => {
    const file = `${name}-${size}`;
    if (format === 'pdf') await printFigure({ name: file, svg, ...FIGURE_CM[size] });
    else download.svg(`${file}.svg`, svg);
  };
  /** Saves a figure that only plotly.js can draw. */
  const saveLive = async (plain: PlotFigure, format: FigureFormat, size: FigureSize): Promise<void> => {
    const { scale, ...paper } = figureLayout(size);
    const isPng = format === 'png';
    const { plotly } = await liveOrLater();
    const url = await plotly.toImage(
      { data: plain.data, layout: chartLayout(PAPER_COLORS, { ...plain.layout, ...paper }) },
      { format: isPng ? 'png' : 'svg', scale: isPng ? scale : 1, ...paper },
    );
    if (isPng) return download.picture(`${name}-${size}.png`, url);
    await saveDrawn(svgOnPaper(decodeURIComponent(url.slice(url.indexOf(',') + 1)), size), format, size);
  };
  const saveTable = (): void => {
    const content = table?.();
    if (content) download.csv(`${name}.csv`, toCsv(content.header, content.rows, content.remarks));
  };
  // An error in drawing goes to the error boundary of the panel.
  if (error) throw error;
  return (
    <div className={`uc-panel ${classes.plot}`}>
      <div className={classes.tools}>
        <ToolbarButtons
          label={t('plotTools')}
          buttons={[
            { id: 'png', label: t('exportPng'), onClick: () => void savePicture('png').catch(setError) },
            { id: 'svg', label: t('exportSvg'), onClick: () => void savePicture('svg').catch(setError) },
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
        <FigureMenu onSave={(format, size) => void saveFigure(format, size).catch(setError)} />
      </div>
      <div ref={host}>
        <Drawing {...drawing} onLive={takeLive} />
      </div>
      {numbers && (
        <PanelBoundary waiting={null}>
          <PlotNumbers label={t('numbersOf', { chart: summary })} table={numbers} />
        </PanelBoundary>
      )}
    </div>
  );
}
