/** The series of a static drawing: lines, fills, bars of uncertainty, points and their labels. */
import type { ReactNode } from 'react';
import { colorOn } from './chart-theme.ts';
import { type Box, errorsOf, isShown, numbersOf, type Series } from './plot-figure.ts';
import { each, RichText } from './rich-text.tsx';
import type { Axis } from './settled.ts';
import {
  Clipped,
  dashOf,
  entryOf,
  placeOn,
  type Point,
  px,
  type StillProps,
  stopsOf,
} from './still-parts.tsx';

/** Lines from point to point; segments entirely beyond one edge of the box are omitted. */
function linePath(points: readonly (Point | null)[], { left, top, right, bottom }: Box): string {
  const isAway = ([ax, ay]: Point, [bx, by]: Point): boolean =>
    (ax < left && bx < left) ||
    (ax > right && bx > right) ||
    (ay < top && by < top) ||
    (ay > bottom && by > bottom);
  let path = '';
  let last: Point | null = null;
  let isDown = false;
  for (const point of points) {
    if (point && last && !isAway(last, point)) {
      if (!isDown) path += `M${px(last[0])} ${px(last[1])}`;
      path += `L${px(point[0])} ${px(point[1])}`;
      isDown = true;
    } else isDown = false;
    last = point;
  }
  return path;
}

/** The outline of a marker of radius `r` around a position. */
function markerPath(symbol: string, [x, y]: Point, r: number): string {
  const at = `M${px(x)} ${px(y)}`;
  if (symbol.startsWith('diamond')) {
    const half = px(1.3 * r);
    return `${at}m${half} 0l${-half} ${half}l${-half} ${-half}l${half} ${-half}z`;
  }
  if (symbol.startsWith('triangle-down')) {
    const side = px((2 * r) / Math.sqrt(3));
    return `${at}m${-side} ${px(-r / 2)}h${2 * side}l${-side} ${px(1.5 * r)}z`;
  }
  if (symbol.startsWith('square'))
    return `${at}m${px(-r)} ${px(-r)}h${px(2 * r)}v${px(2 * r)}h${px(-2 * r)}z`;
  if (symbol.startsWith('line-ns')) return `${at}m0 ${px(1.4 * r)}v${px(-2.8 * r)}`;
  return `${at}m${px(r)} 0a${px(r)} ${px(r)} 0 1 1 ${px(-2 * r)} 0a${px(r)} ${px(r)} 0 1 1 ${px(2 * r)} 0z`;
}

export interface MarkerLook {
  readonly symbol: string;
  readonly radius: number;
  readonly opacity: number;
  readonly fill: string;
  readonly stroke: string;
  readonly width: number;
}

/** The look of one point of a series. */
export function markerLook({ marker = {} }: Series, index: number, ink: string): MarkerLook {
  const symbol = String(entryOf(marker.symbol, index) ?? 'circle');
  const own: unknown = entryOf(marker.color as string | number | readonly (string | number)[], index);
  const stops = stopsOf(marker.colorscale);
  const share = (Number(own) - (marker.cmin ?? 0)) / ((marker.cmax ?? 1) - (marker.cmin ?? 0));
  const color =
    typeof own === 'number' && stops ? colorOn(stops, share) : typeof own === 'string' ? own : ink;
  const isOpen = symbol.endsWith('-open');
  const width = entryOf(marker.line?.width, index) ?? 0;
  return {
    symbol,
    radius: (entryOf(marker.size, index) ?? 6) / 2,
    opacity: entryOf(marker.opacity, index) ?? 1,
    fill: isOpen ? 'none' : color,
    stroke: isOpen
      ? color
      : (entryOf(marker.line?.color as string | readonly string[] | undefined, index) ?? color),
    width: isOpen ? width || 1 : width,
  };
}

export const Marker = ({ look, at }: { readonly look: MarkerLook; readonly at: Point }) => (
  <path
    d={markerPath(look.symbol, at, look.radius)}
    fill={look.fill}
    {...(look.width > 0 ? { stroke: look.stroke, strokeWidth: look.width } : {})}
    {...(look.opacity < 1 ? { opacity: look.opacity } : {})}
  />
);

export const has = ({ mode = 'lines+markers' }: Series, part: 'lines' | 'markers' | 'text'): boolean =>
  mode.split('+').includes(part);

export const lineLook = ({ line = {} }: Series, ink: string) => {
  const width = typeof line.width === 'number' ? line.width : 2;
  const dash = dashOf(line.dash, width);
  return {
    fill: 'none',
    stroke: typeof line.color === 'string' ? line.color : ink,
    strokeWidth: width,
    ...(dash ? { strokeDasharray: dash } : {}),
  };
};

const ANCHORS = { left: 'end', right: 'start', center: 'middle' } as const;

/** Labels of points, at the positions of plotly.js beside their markers. */
function pointLabels(series: Series, points: readonly (Point | null)[], ink: string): ReactNode {
  const size = typeof series.textfont?.size === 'number' ? series.textfont.size : 13;
  const color = typeof series.textfont?.color === 'string' ? series.textfont.color : ink;
  return each(points, (point, index) => {
    const text = entryOf(series.text, index) ?? '';
    if (!point || text === '') return null;
    const position =
      entryOf(series.textposition as string | readonly string[] | undefined, index) ?? 'middle center';
    const [vertical = 'middle', side = 'center'] = position.split(' ');
    const radius = has(series, 'markers') ? markerLook(series, index, ink).radius : 0;
    const away = radius / 0.8 + 1;
    const sign = vertical === 'top' ? -1 : vertical === 'bottom' ? 1 : 0;
    const right = side === 'left' ? -1 : side === 'right' ? 1 : 0;
    return (
      <RichText
        text={text}
        x={px(point[0] + right * away)}
        y={px(point[1] + 0.75 * size + sign * away + ((sign - 1) * size) / 2)}
        size={size}
        color={color}
        anchor={ANCHORS[side as keyof typeof ANCHORS] ?? 'middle'}
      />
    );
  });
}

export interface SeriesProps extends StillProps {
  readonly series: Series;
}

/** Lines, fill, bars of uncertainty, points and their labels. */
export function DrawnSeries({ series, settled, colors }: SeriesProps) {
  const x = settled.axes.get(series.xaxis ?? 'x');
  const y = settled.axes.get(series.yaxis ?? 'y');
  if (!x || !y || !isShown(series)) return null;
  const ys = numbersOf(series.y, y.names);
  const points = numbersOf(series.x, x.names).map((value, index): Point | null => {
    const other = ys[index] ?? null;
    return value === null || other === null ? null : [placeOn(x, value), placeOn(y, other)];
  });
  const frame = boxOf(x, y);
  const ink = colors.ink;
  const known = points.filter((point) => point !== null);
  const outline = linePath(points, NO_BOX);
  const zero = placeOn(x, 0);
  const drawing = (
    <g {...(series.opacity === undefined ? {} : { opacity: series.opacity })}>
      {series.fill === 'toself' && <path d={`${outline}Z`} fill={series.fillcolor ?? ink} />}
      {series.fill === 'tozerox' && known[0] && (
        <path d={`${outline}H${px(zero)}V${px(known[0][1])}Z`} fill={series.fillcolor ?? ink} />
      )}
      {has(series, 'lines') && lineLook(series, ink).strokeWidth > 0 && (
        <path d={linePath(points, frame)} strokeLinejoin="round" {...lineLook(series, ink)} />
      )}
      <ErrorBars series={series} points={points} x={x} y={y} />
      {has(series, 'markers') &&
        each(points, (point, index) => {
          const look = markerLook(series, index, ink);
          return point && look.opacity > 0 ? <Marker look={look} at={point} /> : null;
        })}
      {has(series, 'text') && pointLabels(series, points, ink)}
    </g>
  );
  return series.cliponaxis === false || has(series, 'text') ? (
    drawing
  ) : (
    <Clipped box={frame}>{drawing}</Clipped>
  );
}

const NO_BOX: Box = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 };

const boxOf = (x: Axis, y: Axis): Box => ({
  left: Math.min(...x.ends),
  right: Math.max(...x.ends),
  top: Math.min(...y.ends),
  bottom: Math.max(...y.ends),
});

interface ErrorBarsProps {
  readonly series: Series;
  readonly points: readonly (Point | null)[];
  readonly x: Axis;
  readonly y: Axis;
}

function ErrorBars({ series, points, x, y }: ErrorBarsProps) {
  return each(['x', 'y'] as const, (letter) => {
    const bars = errorsOf(series, letter);
    if (!bars) return null;
    const [axis, cap] = [letter === 'x' ? x : y, bars.width ?? 0];
    const lengths = numbersOf(bars.array);
    const path = points
      .map((point, index) => {
        const half = Math.abs(placeOn(axis, lengths[index] ?? 0) - placeOn(axis, 0));
        if (!point) return '';
        const [atX, atY] = [px(point[0]), px(point[1])];
        return letter === 'x'
          ? `M${px(atX - half)} ${atY}h${px(2 * half)}m0 ${-cap}v${2 * cap}m${px(-2 * half)} 0v${-2 * cap}`
          : `M${atX} ${px(atY - half)}v${px(2 * half)}m${-cap} 0h${2 * cap}m0 ${px(-2 * half)}h${-2 * cap}`;
      })
      .join('');
    return <path d={path} fill="none" stroke={String(bars.color)} strokeWidth={bars.thickness ?? 2} />;
  });
}
