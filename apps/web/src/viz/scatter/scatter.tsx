/**
 * A scatter plot of any number of points, with a brush and a histogram along each axis. The frame has inward ticks; the
 * points are on a canvas.
 */
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import classes from '../figure.module.css';
import { CHART_FONT, type ChartColors, chartColors, rgbOf } from '../plot/chart-theme.ts';
import { useDownload } from '../../components/file-origin.tsx';
import { ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import { componentTexts } from '../../components/texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { toCsv } from '../../lib/download.ts';
import { svgPicture, svgText } from '../../lib/drawing-file.ts';
import {
  type Extent,
  extentOf,
  histogramPath,
  placeOf,
  rangeBetween,
  shownNumber,
  ticksOf,
} from './scales.ts';

interface Cloud {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly color: readonly (number | null)[] | null;
}

type Rgb = readonly [number, number, number];

const mixed = (a: Rgb, b: Rgb, share: number): Rgb => [
  a[0] + share * (b[0] - a[0]),
  a[1] + share * (b[1] - a[1]),
  a[2] + share * (b[2] - a[2]),
];

const STEPS = 64;
/** Opacity of a single point; where many overlap the colour is full. */
const OPACITY = 0.75;

/** The pixels of a round point; points below 4 px are squares. */
function discOf(size: number): readonly (readonly [number, number])[] {
  const middle = (size - 1) / 2;
  const reach = size < 4 ? size : size / 2 + 0.1;
  const places = Array.from({ length: size * size }, (_, at) => [at % size, Math.floor(at / size)] as const);
  return places.filter(([right, down]) => Math.hypot(right - middle, down - middle) <= reach);
}

interface DrawOptions {
  readonly x: Extent;
  readonly y: Extent;
  readonly color: Extent;
  readonly low: string;
  readonly high: string;
  /** Colour of points without the number that the colours show. */
  readonly unknown: string;
  /** Pixels across a point. */
  readonly size: number;
}

/** Draws hundreds of thousands of points on a canvas, as pixels and in one pass. */
export function drawPoints(context: CanvasRenderingContext2D, cloud: Cloud, options: DrawOptions): void {
  const { width, height } = context.canvas;
  const image = context.createImageData(width, height);
  const { data } = image;
  const { size } = options;
  const [low, high, unknown] = [rgbOf(options.low), rgbOf(options.high), rgbOf(options.unknown)];
  const ramp = Array.from({ length: STEPS }, (_, step) => mixed(low, high, step / (STEPS - 1)));
  const disc = discOf(size);
  for (let index = 0; index < cloud.x.length; index++) {
    const left = Math.round(placeOf(options.x, cloud.x[index]!) * (width - 1) - size / 2);
    const top = Math.round((1 - placeOf(options.y, cloud.y[index]!)) * (height - 1) - size / 2);
    // A number that a logarithmic axis cannot show.
    if (Number.isNaN(left + top)) continue;
    const third = cloud.color === null ? options.color.from : (cloud.color[index] ?? null);
    const share = third === null ? null : Math.max(0, Math.min(1, placeOf(options.color, third)));
    const [red, green, blue] = share === null ? unknown : ramp[Math.round(share * (STEPS - 1))]!;
    for (const [right, down] of disc) {
      const [column, row] = [left + right, top + down];
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      const at = 4 * (row * width + column);
      data[at] = red;
      data[at + 1] = green;
      data[at + 2] = blue;
      data[at + 3] = Math.min(255, data[at + 3]! + 255 * OPACITY);
    }
  }
  context.putImageData(image, 0, 0);
}

/** Pixels across a point, depending on the number of points. */
const pointSize = ({ length }: readonly number[]): number => (length > 50_000 ? 2 : length > 5000 ? 3 : 5);

const colorsOfPoints = ({ series: [low = '#174b73'], highlight: high, faint: unknown }: ChartColors) => ({
  low,
  high,
  unknown,
});

interface Extents {
  readonly x: Extent;
  readonly y: Extent;
  readonly color: Extent;
}

/** px around the frame of a saved figure: room for the names, the ticks and the histograms. */
const AROUND = { left: 68, right: 46, top: 46, bottom: 52 } as const;
/** px for the colour scale below. */
const RAMP = 30;
const BAR = 32;
/** Dots per px of the points in a file, and of a PNG. */
const FILE_SCALE = 3;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** @param frame px */
const fileSize = (frame: Size, hasRamp: boolean): Size => ({
  width: AROUND.left + frame.width + AROUND.right,
  height: AROUND.top + frame.height + AROUND.bottom + (hasRamp ? RAMP : 0),
});

/** The sizes are those of the frame, px. */
interface FigureFileProps extends Size {
  readonly cloud: Cloud;
  readonly extents: Extents;
  readonly bars: { readonly x: string; readonly y: string };
  readonly names: { readonly x: string; readonly y: string; readonly color: string | null };
  readonly colors: ChartColors;
}

/** The figure as an SVG file. The points are a picture inside, because there may be hundreds of thousands. */
function FigureFile({ cloud, extents, bars, names, colors, width, height }: FigureFileProps) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * FILE_SCALE, height * FILE_SCALE];
  const context = canvas.getContext('2d');
  const pointColors = colorsOfPoints(colors);
  if (context)
    drawPoints(context, cloud, { ...extents, ...pointColors, size: pointSize(cloud.x) * FILE_SCALE });
  const { left, top } = AROUND;
  const [right, bottom] = [left + width, top + height];
  const below = bottom + AROUND.bottom + 4;
  const all = fileSize({ width, height }, names.color !== null);
  const xOf = (tick: number): number => left + placeOf(extents.x, tick) * width;
  const yOf = (tick: number): number => bottom - placeOf(extents.y, tick) * height;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      {...all}
      viewBox={`0 0 ${all.width} ${all.height}`}
      fontFamily={CHART_FONT}
      fontSize={12}
      fill={colors.ink}
    >
      <rect {...all} fill={colors.surface} />
      <image href={canvas.toDataURL()} x={left} y={top} width={width} height={height} />
      <rect x={left} y={top} width={width} height={height} fill="none" stroke={colors.ink} />
      <path
        d={bars.x}
        transform={`translate(${left} ${top - BAR - 4}) scale(${width} ${BAR})`}
        opacity={0.4}
      />
      <path
        d={bars.y}
        transform={`translate(${right + 4} ${top}) scale(${BAR} ${height}) matrix(0 -1 -1 0 1 1)`}
        opacity={0.4}
      />
      {ticksOf(extents.x).map((tick) => (
        <g key={tick}>
          <path d={`M${xOf(tick)} ${bottom}v-5`} stroke={colors.ink} />
          <text x={xOf(tick)} y={bottom + 16} textAnchor="middle">
            {shownNumber(tick)}
          </text>
        </g>
      ))}
      {ticksOf(extents.y).map((tick) => (
        <g key={tick}>
          <path d={`M${left} ${yOf(tick)}h5`} stroke={colors.ink} />
          <text x={left - 6} y={yOf(tick) + 4} textAnchor="end">
            {shownNumber(tick)}
          </text>
        </g>
      ))}
      <text x={(left + right) / 2} y={bottom + 40} textAnchor="middle" fontSize={13}>
        {names.x}
      </text>
      <text transform={`translate(16 ${(top + bottom) / 2}) rotate(-90)`} textAnchor="middle" fontSize={13}>
        {names.y}
      </text>
      {names.color !== null && (
        <g>
          <defs>
            <linearGradient id="ramp">
              <stop offset="0" stopColor={pointColors.low} />
              <stop offset="1" stopColor={pointColors.high} />
            </linearGradient>
          </defs>
          <rect x={left + 50} y={below} width={128} height={8} fill="url(#ramp)" />
          <text x={left + 44} y={below + 9} textAnchor="end">
            {shownNumber(extents.color.from)}
          </text>
          <text x={left + 184} y={below + 9}>
            {`${shownNumber(extents.color.to)} · ${names.color}`}
          </text>
        </g>
      )}
    </svg>
  );
}

/** Maximum distance in px between the pointer and the point it selects. */
const REACH = 10;

/**
 * The point nearest to a position in the plot.
 * @param at shares of width and height, from the upper left
 * @param size of the plot, px
 * @returns its index; null if none is within reach
 */
export function nearestPoint(
  { x, y }: Pick<Cloud, 'x' | 'y'>,
  extents: { readonly x: Extent; readonly y: Extent },
  [left, top]: readonly [number, number],
  { width, height }: { readonly width: number; readonly height: number },
): number | null {
  let [nearest, least]: [number | null, number] = [null, REACH * REACH];
  for (let index = 0; index < x.length; index++) {
    const across = (placeOf(extents.x, x[index]!) - left) * width;
    if (across > REACH || across < -REACH) continue;
    const down = (1 - placeOf(extents.y, y[index]!) - top) * height;
    const distance = across * across + down * down;
    if (distance <= least) [nearest, least] = [index, distance];
  }
  return nearest;
}

interface ScatterProps {
  readonly cloud: Cloud;
  /** Labels of the axes, with units. */
  readonly x: string;
  readonly y: string;
  readonly color: string | null;
  /** Names the points without the number that the colours show. */
  readonly unknown: string;
  readonly summary: string;
  /** Logarithmic axes: none, `x`, `y` or `xy`. */
  readonly log?: string;
  /** Name of the files, without extension. */
  readonly name: string;
  /** Called with the ranges covered by a drag. */
  readonly onBrush: (x: Extent, y: Extent) => void;
  /** Names what is in the ranges that a click on the selected point covers. */
  readonly renderNames?: (x: Extent, y: Extent) => ReactNode;
}

/** Shares of the width and the height, from the upper left. */
type Corner = readonly [number, number];

/** Half the width and height of the range that a click on a point selects, as a share of the plot. */
const CLICKED = 0.004;

/** The range of the third number for most points, so that a few outliers do not use up the colours. */
function colorExtent(color: Cloud['color']): Extent {
  // A typed array of doubles sorts ten times faster than an ordinary one.
  const known = Float64Array.from((color ?? []).filter((value): value is number => value !== null)).sort();
  const at = (share: number): number => known[Math.floor(share * (known.length - 1))] ?? 0;
  const [from, to] = [at(0.02), at(0.98)];
  return { from, to: to > from ? to : from + 1 };
}

export function Scatter({
  cloud,
  x,
  y,
  color,
  unknown,
  summary,
  log = '',
  name,
  onBrush,
  renderNames,
}: ScatterProps) {
  const { t } = useTexts(componentTexts);
  const download = useDownload();
  const scheme = useComputedColorScheme();
  const { ref: frame, width } = useElementSize();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pointed, setPointed] = useState<{ readonly of: Cloud; readonly index: number | null } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [drag, setDrag] = useState<{ readonly start: Corner; readonly end: Corner } | null>(null);
  const extents = useMemo(
    () => ({
      x: extentOf(cloud.x, log.includes('x')),
      y: extentOf(cloud.y, log.includes('y')),
      color: colorExtent(cloud.color),
    }),
    [cloud, log],
  );
  const bars = useMemo(
    () => ({ x: histogramPath(extents.x, cloud.x), y: histogramPath(extents.y, cloud.y) }),
    [cloud, extents],
  );

  const hasUnknown = useMemo(() => cloud.color?.includes(null) === true, [cloud]);
  /** What the colours show, for the legend. */
  const legend = color === null || !hasUnknown ? color : `${color}; ${unknown}`;

  // A point that was selected in other data is ignored.
  const near = pointed?.of === cloud ? pointed.index : null;

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    element.width = Math.round(element.clientWidth * ratio);
    element.height = Math.round(element.clientHeight * ratio);
    const colors = chartColors(element);
    drawPoints(context, cloud, {
      ...extents,
      ...colorsOfPoints(colors),
      size: Math.round(pointSize(cloud.x) * ratio),
    });
    // A new colour scheme changes the computed colours.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [cloud, extents, width, scheme]);

  const cornerAt = (event: PointerEvent<HTMLElement>): Corner => {
    const box = event.currentTarget.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  const rangesOf = ([left, top]: Corner, [right, bottom]: Corner): readonly [Extent, Extent] => [
    rangeBetween(extents.x, left, right),
    rangeBetween(extents.y, 1 - top, 1 - bottom),
  ];
  /** The ranges of a point and of all points that cannot be distinguished from it. */
  const rangesAt = (index: number): readonly [Extent, Extent] => {
    const [left, top] = cornerOf(index);
    return rangesOf([left - CLICKED, top - CLICKED], [left + CLICKED, top + CLICKED]);
  };
  const nearestTo = (event: PointerEvent<HTMLElement>): number | null =>
    nearestPoint(cloud, extents, cornerAt(event), event.currentTarget.getBoundingClientRect());
  const point = (event: PointerEvent<HTMLElement>): void => {
    if (drag) setDrag({ ...drag, end: cornerAt(event) });
    else if (event.pointerType !== 'touch') setPointed({ of: cloud, index: nearestTo(event) });
  };
  const finish = (event: PointerEvent<HTMLElement>): void => {
    setDrag(null);
    if (!drag) return;
    const { start, end } = drag;
    const isClick = Math.abs(start[0] - end[0]) < 0.01 && Math.abs(start[1] - end[1]) < 0.01;
    // A click filters by the nearest point, or does nothing if no point is near. A finger cannot point before it
    // touches, so its first tap shows the point and a second one filters.
    if (!isClick) {
      if (Math.abs(start[0] - end[0]) >= 0.01 && Math.abs(start[1] - end[1]) >= 0.01)
        onBrush(...rangesOf(start, end));
      return;
    }
    const nearest = nearestTo(event);
    if (event.pointerType === 'touch' && nearest !== near) setPointed({ of: cloud, index: nearest });
    else if (nearest !== null) onBrush(...rangesAt(nearest));
  };
  const cornerOf = (index: number): Corner => [
    placeOf(extents.x, cloud.x[index]!),
    1 - placeOf(extents.y, cloud.y[index]!),
  ];
  /** The figure as it is saved, in the colours of the page. */
  const drawn = () => {
    const frameSize = {
      width: canvas.current?.clientWidth ?? 0,
      height: canvas.current?.clientHeight ?? 0,
    };
    const colors = chartColors(document.documentElement);
    const names = { x, y, color: legend };
    const svg = svgText(<FigureFile {...{ cloud, extents, bars, colors, names }} {...frameSize} />);
    return { size: fileSize(frameSize, color !== null), svg };
  };
  const savePng = async (): Promise<void> => {
    const { svg, size } = drawn();
    await download.png(`${name}.png`, await svgPicture(svg, size, FILE_SCALE));
  };
  const saveTable = (): void => {
    const header = [x, y, ...(color === null ? [] : [color])];
    const rows = cloud.x.map((value, index) => [
      value,
      cloud.y[index],
      ...(color === null ? [] : [cloud.color?.[index] ?? '']),
    ]);
    download.csv(`${name}.csv`, toCsv(header, rows));
  };
  const third = near === null ? null : (cloud.color?.[near] ?? null);
  // An error in drawing goes to the error boundary of the panel.
  if (error) throw error;
  const percent = (share: number): string => `${100 * share}%`;
  return (
    <figure className={classes.figure} aria-label={summary}>
      <div className={classes.saveScatter}>
        <ToolbarButtons
          label={t('plotTools')}
          buttons={[
            { id: 'png', label: t('exportPng'), onClick: () => void savePng().catch(setError) },
            { id: 'svg', label: t('exportSvg'), onClick: () => download.svg(`${name}.svg`, drawn().svg) },
            { id: 'csv', label: t('exportData'), onClick: saveTable },
          ]}
        />
      </div>
      <div className={classes.yName}>{y}</div>
      <div
        ref={frame}
        className={classes.frame}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const corner = cornerAt(event);
          setDrag({ start: corner, end: corner });
        }}
        onPointerMove={point}
        onPointerLeave={(event) => event.pointerType !== 'touch' && setPointed(null)}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(null)}
      >
        <canvas ref={canvas} className={classes.scatterCanvas} />
        <svg className={classes.xBars} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <path d={bars.x} />
        </svg>
        <svg className={classes.yBars} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <path d={bars.y} transform="matrix(0 -1 -1 0 1 1)" />
        </svg>
        <div aria-hidden="true">
          {ticksOf(extents.x).map((tick) => (
            <span
              key={tick}
              className={classes.xTick}
              style={{ insetInlineStart: percent(placeOf(extents.x, tick)) }}
            >
              {shownNumber(tick)}
            </span>
          ))}
          {ticksOf(extents.y).map((tick) => (
            <span
              key={tick}
              className={classes.yTick}
              style={{ insetBlockEnd: percent(placeOf(extents.y, tick)) }}
            >
              {shownNumber(tick)}
            </span>
          ))}
        </div>
        {near !== null && !drag && (
          <>
            <span
              className={classes.near}
              style={{
                insetInlineStart: percent(cornerOf(near)[0]),
                insetBlockStart: percent(cornerOf(near)[1]),
              }}
            />
            <span className={classes.reading} aria-hidden="true">
              {renderNames?.(...rangesAt(near))}
              {x}: <b>{shownNumber(cloud.x[near]!)}</b>, {y}: <b>{shownNumber(cloud.y[near]!)}</b>
              {third !== null && (
                <>
                  , {color}: <b>{shownNumber(third)}</b>
                </>
              )}
            </span>
          </>
        )}
        {drag && (
          <div
            className={classes.brush}
            style={{
              insetInlineStart: percent(Math.min(drag.start[0], drag.end[0])),
              insetBlockStart: percent(Math.min(drag.start[1], drag.end[1])),
              width: percent(Math.abs(drag.start[0] - drag.end[0])),
              height: percent(Math.abs(drag.start[1] - drag.end[1])),
            }}
          />
        )}
      </div>
      <div className={classes.xName}>{x}</div>
      {color !== null && (
        <div className={`uc-line ${classes.ramp}`}>
          <span>{shownNumber(extents.color.from)}</span>
          <span className={classes.rampBar} aria-hidden="true" />
          <span>{shownNumber(extents.color.to)}</span>
          <span>{legend}</span>
        </div>
      )}
      <figcaption className="uc-visually-hidden">{summary}</figcaption>
    </figure>
  );
}
