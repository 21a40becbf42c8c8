/**
 * A figure on the page: a static SVG until a pointer enters or a finger taps it, then plotly.js from the same frame on.
 * Figures without a static form, such as heat maps, use plotly.js from the start.
 */
import { useElementSize, useMergedRef } from '@mantine/hooks';
import type * as Plotly from 'plotly.js';
import type { Config, LegendClickEvent, PlotMouseEvent } from 'plotly.js';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { componentTexts } from '../../components/texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { fetchCode } from '../../lib/lazy-part.tsx';
import { useNear } from '../../lib/use-near.ts';
import classes from '../figure.module.css';
import { type ChartColors, chartColors, chartLayout } from './chart-theme.ts';
import type { PlotFigure } from './plot-figure.ts';
import { canBeStill, settle } from './settled.ts';
import { Still } from './still.tsx';

export type PlotPoint = PlotMouseEvent['points'][number];

/** px */
export interface PaperSize {
  readonly width: number;
  readonly height: number;
}

export interface DrawingProps {
  /**
   * Builds the figure with the colours of the current scheme, for the page or for paper. Keep the function stable
   * (useCallback): a new one redraws the figure.
   */
  readonly figure: (colors: ChartColors, paper?: PaperSize) => PlotFigure;
  /** What the chart shows, in a sentence. */
  readonly summary: string;
  /** Called with the point clicked: its curve, index and customdata. */
  readonly onPoint?: (point: PlotPoint) => void;
  /** Called with the point under the pointer, and with null when it has left. */
  readonly onHover?: (point: PlotPoint | null) => void;
  /** Called with the name of the series whose legend entry was clicked, instead of hiding or showing it. */
  readonly onLegend?: (name: string | undefined) => void;
  /** 3 loads the 3D chart types. */
  readonly dimensions?: 2 | 3;
  readonly height?: number;
  readonly config?: Partial<Config>;
}

/** The drawing of plotly.js, as rotated or zoomed by the user. */
export interface LivePlot {
  readonly plotly: PlotlyLibrary;
  readonly element: HTMLDivElement;
}

type PlotlyLibrary = typeof Plotly;

const CONFIG: Partial<Config> = { displaylogo: false, displayModeBar: false, doubleClick: 'reset' };

const loadLibrary = async (dimensions: 2 | 3): Promise<PlotlyLibrary> =>
  (await fetchCode(() => (dimensions === 3 ? import('./plotly-3d.ts') : import('./plotly-2d.ts')))).Plotly;

/** The colour scheme that the page currently shows. */
const schemeOf = (): string => document.documentElement.dataset.mantineColorScheme ?? '';
const onScheme = (change: () => void): (() => void) => {
  const observer = new MutationObserver(change);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-mantine-color-scheme'],
  });
  return () => observer.disconnect();
};

/** Position of the pointer over a drawing that is not live yet. */
interface Place {
  readonly clientX: number;
  readonly clientY: number;
}

/** Sends plotly.js the position of a pointer that entered the drawing before plotly.js was ready. */
function pointAt(element: HTMLElement, { clientX, clientY }: Place): void {
  element
    .querySelector('.nsewdrag')
    ?.dispatchEvent(new MouseEvent('mousemove', { clientX, clientY, bubbles: true }));
}

export function Drawing({
  figure,
  summary,
  onPoint,
  onHover,
  onLegend,
  dimensions = 2,
  height = 420,
  config,
  onLive,
}: DrawingProps & { readonly onLive: (live: LivePlot | null) => void }) {
  const { t } = useTexts(componentTexts);
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const pointer = useRef<Place | null>(null);
  const scheme = useSyncExternalStore(onScheme, schemeOf);
  const isNear = useNear(frame);
  const { ref: measured, width } = useElementSize<HTMLDivElement>();
  const whole = useMergedRef(frame, measured);
  const [isTouched, setTouched] = useState(false);
  const [loaded, setLoaded] = useState<{ readonly plotly: PlotlyLibrary; readonly dimensions: 2 | 3 } | null>(
    null,
  );
  const plotly = loaded?.dimensions === dimensions ? loaded.plotly : null;
  const [isLive, setLive] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // Recomputed when the colour scheme changes.
  const colors = useMemo(() => ({ scheme, ...chartColors(document.documentElement) }), [scheme]);
  const drawn = useMemo(() => {
    if (!isNear || width === 0) return null;
    const plain = figure(colors);
    const size = { width: Math.floor(width), height };
    const settled = canBeStill(plain) ? settle(plain, colors, size) : null;
    const layout = settled?.layout ?? chartLayout(colors, { ...plain.layout, ...size });
    return { colors, settled, data: plain.data, layout };
  }, [figure, height, width, isNear, colors]);
  const isWanted = drawn !== null && (isTouched || drawn.settled === null);

  useEffect(() => {
    if (!isWanted) return undefined;
    let isGone = false;
    const load = async (): Promise<void> => {
      try {
        const library = await loadLibrary(dimensions);
        if (!isGone) setLoaded({ plotly: library, dimensions });
      } catch (cause) {
        if (!isGone) setError(cause);
      }
    };
    void load();
    return () => {
      isGone = true;
    };
  }, [dimensions, isWanted]);

  useEffect(() => {
    const element = host.current;
    if (!plotly || !element) return undefined;
    onLive({ plotly, element });
    return () => {
      onLive(null);
      setLive(false);
      plotly.purge(element);
    };
  }, [plotly, onLive]);

  useEffect(() => {
    const element = host.current;
    if (!plotly || !element || !drawn) return;
    const draw = async (): Promise<void> => {
      await plotly.react(element, drawn.data, drawn.layout, { ...CONFIG, ...config });
      setLive(true);
    };
    void draw().catch(setError);
  }, [plotly, drawn, config]);

  useEffect(() => {
    if (isLive && host.current && pointer.current) pointAt(host.current, pointer.current);
  }, [isLive]);

  useEffect(() => {
    const element: (HTMLDivElement & PlotlyEvents) | null = host.current;
    if (!isLive || !element?.on || !onPoint) return undefined;
    const click = (event: PlotMouseEvent): void => {
      const [point] = event.points;
      if (point) onPoint(point);
    };
    element.on('plotly_click', click);
    return () => element.removeListener?.('plotly_click', click);
  }, [isLive, onPoint]);

  useEffect(() => {
    const element: (HTMLDivElement & PlotlyEvents) | null = host.current;
    if (!isLive || !element?.on || !onHover) return undefined;
    const enter = (event: PlotMouseEvent): void => onHover(event.points[0] ?? null);
    const leave = (): void => onHover(null);
    element.on('plotly_hover', enter);
    element.on('plotly_unhover', leave);
    return () => {
      element.removeListener?.('plotly_hover', enter);
      element.removeListener?.('plotly_unhover', leave);
    };
  }, [isLive, onHover]);

  useEffect(() => {
    const element: (HTMLDivElement & PlotlyEvents) | null = host.current;
    if (!isLive || !element?.on || !onLegend) return undefined;
    const toggle = ({ curveNumber, data }: LegendClickEvent): boolean => {
      onLegend(data[curveNumber]?.name);
      return false;
    };
    element.on('plotly_legendclick', toggle);
    return () => element.removeListener?.('plotly_legendclick', toggle);
  }, [isLive, onLegend]);

  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const touch = ({ clientX, clientY }: Place): void => {
      pointer.current = { clientX, clientY };
      setTouched(true);
    };
    // Only a tap counts for touch, because a touch that scrolls also enters the drawing.
    const enter = (event: PointerEvent): void => {
      if (event.pointerType !== 'touch') touch(event);
    };
    const leave = (): void => {
      pointer.current = null;
    };
    element.addEventListener('pointerenter', enter);
    element.addEventListener('pointermove', enter);
    element.addEventListener('pointerleave', leave);
    element.addEventListener('click', touch);
    return () => {
      element.removeEventListener('pointerenter', enter);
      element.removeEventListener('pointermove', enter);
      element.removeEventListener('pointerleave', leave);
      element.removeEventListener('click', touch);
    };
  }, []);

  // An error in drawing goes to the error boundary of the panel.
  if (error) throw error;
  return (
    // An <img> cannot contain the drawing. Keyboard users reach the table of numbers beside it.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div ref={whole} role="img" aria-label={summary} className={classes.canvas} style={{ minHeight: height }}>
      {!isLive && drawn?.settled && <Still settled={drawn.settled} colors={drawn.colors} />}
      {!isLive && isWanted && !drawn.settled && <span className={classes.loading}>{t('plotLoading')}</span>}
      {/* Two elements, because plotly.js sets the class of its own element. */}
      <div className={isLive ? undefined : classes.coming}>
        <div ref={host} />
      </div>
    </div>
  );
}

interface PlotlyEvents {
  on?: PlotlyListening<void>;
  /** Undefined after the drawing was purged, because purging precedes the removal of the listeners. */
  removeListener?: PlotlyListening<void>;
}

interface PlotlyListening<Result> {
  (
    event: 'plotly_click' | 'plotly_hover' | 'plotly_unhover',
    listener: (event: PlotMouseEvent) => void,
  ): Result;
  (event: 'plotly_legendclick', listener: (event: LegendClickEvent) => boolean): Result;
}
