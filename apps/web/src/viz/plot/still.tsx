/** A settled figure as a still SVG: on the page until somebody touches it, in print, and in the files for papers. */
import type { Annotations, Shape } from 'plotly.js';
import { createElement, Fragment, type ReactNode } from 'react';
import { tickPlaces, tickText } from './axis-ticks.ts';
import { CHART_FONT, type ChartColors, mixedColor } from './chart-theme.ts';
import { LINE_HEIGHT, lineBox, RichText, textHeight, textWidth } from './rich-text.tsx';
import {
  type Axis,
  type Box,
  errorsOf,
  isShown,
  labelGap,
  legendFont,
  type LegendEntry,
  numbersOf,
  type Series,
  type Settled,
  tickFontOf,
} from './settled.ts';

interface StillProps {
  readonly settled: Settled;
  readonly colors: ChartColors;
}

/** The parts of a drawing never change places, so that they need no keys. */
const each = <Item,>(items: readonly Item[], draw: (item: Item, index: number) => ReactNode): ReactNode =>
  createElement(Fragment, null, ...items.map(draw));

/** A tenth of a pixel is finer than any screen. */
const px = (value: number): number => Math.round(value * 10) / 10;

const placeOn = ({ range: [from, to], ends: [start, end] }: Axis, value: number): number =>
  start + ((value - from) / (to - from)) * (end - start);

const entryOf = <Value,>(value: Value | readonly Value[] | undefined, index: number): Value | undefined =>
  Array.isArray(value) ? (value as readonly Value[])[index] : (value as Value | undefined);

/** Dashes as long as plotly.js makes them. */
function dashOf(dash: string | undefined, width: number): string | undefined {
  const unit = Math.max(width, 3);
  const parts = { dot: [1, 1], dash: [3, 3], longdash: [5, 5], dashdot: [3, 1, 1, 1] }[dash ?? ''];
  return parts?.map((part) => part * unit).join(' ');
}

type Point = readonly [x: number, y: number];

/** Lines from point to point; what lies beyond one edge of the box from end to end is left out. */
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

/** The outline of a marker of radius `r` about a place. */
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
  if (symbol.startsWith('line-ns')) return `${at}m0 ${px(1.4 * r)}v${px(-2.8 * r)}`;
  return `${at}m${px(r)} 0a${px(r)} ${px(r)} 0 1 1 ${px(-2 * r)} 0a${px(r)} ${px(r)} 0 1 1 ${px(2 * r)} 0z`;
}

interface MarkerLook {
  readonly symbol: string;
  readonly radius: number;
  readonly opacity: number;
  readonly fill: string;
  readonly stroke: string;
  readonly width: number;
}

/** The look of one point of a series. */
function markerLook({ marker = {} }: Series, index: number, ink: string): MarkerLook {
  const symbol = String(entryOf(marker.symbol, index) ?? 'circle');
  const own: unknown = entryOf(marker.color as string | number | readonly (string | number)[], index);
  const [low, high] = Array.isArray(marker.colorscale) ? marker.colorscale : [];
  const share = (Number(own) - (marker.cmin ?? 0)) / ((marker.cmax ?? 1) - (marker.cmin ?? 0));
  const color =
    typeof own === 'number' && Array.isArray(low) && Array.isArray(high)
      ? mixedColor(low[1], high[1], Math.min(1, Math.max(0, share)))
      : String(own ?? ink);
  const isOpen = symbol.endsWith('-open');
  const width = entryOf(marker.line?.width, index) ?? 0;
  return {
    symbol,
    radius: (entryOf(marker.size, index) ?? 6) / 2,
    opacity: entryOf(marker.opacity, index) ?? 1,
    fill: isOpen ? 'none' : color,
    stroke: isOpen
      ? color
      : String(entryOf(marker.line?.color as string | readonly string[], index) ?? color),
    width: isOpen ? width || 1 : width,
  };
}

const Marker = ({ look, at }: { readonly look: MarkerLook; readonly at: Point }) => (
  <path
    d={markerPath(look.symbol, at, look.radius)}
    fill={look.fill}
    {...(look.width > 0 ? { stroke: look.stroke, strokeWidth: look.width } : {})}
    {...(look.opacity < 1 ? { opacity: look.opacity } : {})}
  />
);

const has = ({ mode = 'lines+markers' }: Series, part: 'lines' | 'markers' | 'text'): boolean =>
  mode.split('+').includes(part);

const lineLook = ({ line = {} }: Series, ink: string) => {
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

/** Labels of points stand where plotly.js has them beside their markers. */
function pointLabels(series: Series, points: readonly (Point | null)[], ink: string): ReactNode {
  const size = typeof series.textfont?.size === 'number' ? series.textfont.size : 13;
  const color = typeof series.textfont?.color === 'string' ? series.textfont.color : ink;
  return each(points, (point, index) => {
    const text = String(entryOf(series.text, index) ?? '');
    if (!point || text === '') return null;
    const position = String(
      entryOf(series.textposition as string | readonly string[] | undefined, index) ?? 'middle center',
    );
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

interface SeriesProps extends StillProps {
  readonly series: Series;
}

/** Lines, fill, bars of uncertainty, points and their labels. */
function DrawnSeries({ series, settled, colors }: SeriesProps) {
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

/** A window of its own: no id is needed that another drawing on the page could share. */
function Clipped({ box, children }: { readonly box: Box; readonly children: ReactNode }) {
  const { left, top } = box;
  const [width, height] = [box.right - left, box.bottom - top];
  return (
    <svg
      x={left}
      y={top}
      width={width}
      height={height}
      viewBox={`${left} ${top} ${width} ${height}`}
      overflow="hidden"
    >
      {children}
    </svg>
  );
}

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

/** A side of the box along an axis, px, and the way out of the box. */
interface Edge {
  readonly at: number;
  readonly outwards: 1 | -1;
}

function DrawnAxis({
  id,
  axis,
  settled,
}: {
  readonly id: string;
  readonly axis: Axis;
  readonly settled: Settled;
}) {
  const { layout, letter, ends, ticks } = axis;
  if (layout.visible === false) return null;
  const isX = letter === 'x';
  const edgesOf = ({ ends: [start, end] }: Axis): readonly [Edge, Edge] =>
    isX
      ? [
          { at: start, outwards: 1 },
          { at: end, outwards: -1 },
        ]
      : [
          { at: start, outwards: -1 },
          { at: end, outwards: 1 },
        ];
  const anchor = settled.axes.get(axis.anchor);
  if (!anchor) return null;
  const isBeyond = layout.side === 'top' || layout.side === 'right';
  const [near, far] = edgesOf(anchor);
  const [main, mirrored] = isBeyond ? [far, near] : [near, far];
  const mirroredOn = [...settled.axes.values()].filter((other) => other.letter !== letter).flatMap(edgesOf);
  const edges = layout.mirror === 'all' ? mirroredOn : layout.mirror === true ? [main, mirrored] : [main];
  const ticked = layout.mirror === 'all' ? edges : [main];
  // Lines lie outside of the box.
  const onLine = ({ at, outwards }: Edge): number => px(at + (outwards * (layout.linewidth ?? 1)) / 2);
  const size = tickFontOf(layout);
  const color = String(layout.linecolor);
  const places = ticks.map(({ at }) => px(placeOn(axis, at)));
  const gap = labelGap(size);
  return (
    <g data-axis={id}>
      {layout.showline && (
        <path
          d={edges
            .map((edge) =>
              isX
                ? `M${px(ends[0])} ${onLine(edge)}H${px(ends[1])}`
                : `M${onLine(edge)} ${px(ends[0])}V${px(ends[1])}`,
            )
            .join('')}
          fill="none"
          stroke={color}
          strokeWidth={layout.linewidth ?? 1}
          strokeLinecap="square"
        />
      )}
      {layout.ticks === 'inside' && (
        <path
          d={ticked
            .flatMap((edge) => {
              const length = -edge.outwards * (layout.ticklen ?? 5);
              return places.map((at) =>
                isX ? `M${at} ${px(edge.at)}v${length}` : `M${px(edge.at)} ${at}h${length}`,
              );
            })
            .join('')}
          stroke={String(layout.tickcolor ?? color)}
        />
      )}
      {layout.showticklabels !== false &&
        each(ticks, ({ at, text }) => (
          <RichText
            text={text}
            x={px(isX ? placeOn(axis, at) : main.at + main.outwards * gap)}
            y={px(
              isX
                ? main.at + main.outwards * gap + (isBeyond ? -0.2 * size : size)
                : placeOn(axis, at) + 0.35 * size,
            )}
            size={size}
            color={String(layout.tickfont?.color ?? color)}
            anchor={isX ? 'middle' : isBeyond ? 'start' : 'end'}
          />
        ))}
    </g>
  );
}

/** Where a place of a shape or a note is, px: on an axis, or in shares of the drawing. */
function placeOf(settled: Settled, letter: 'x' | 'y', ref: string | undefined, value: unknown): number {
  const { box } = settled;
  if (ref === 'paper')
    return letter === 'x'
      ? box.left + Number(value) * (box.right - box.left)
      : box.bottom - Number(value) * (box.bottom - box.top);
  const axis = settled.axes.get(ref ?? letter);
  return axis ? placeOn(axis, Number(value)) : 0;
}

function DrawnShape({ shape, settled }: { readonly shape: Partial<Shape>; readonly settled: Settled }) {
  const x = [shape.x0, shape.x1].map((value) => placeOf(settled, 'x', shape.xref, value));
  const y = [shape.y0, shape.y1].map((value) => placeOf(settled, 'y', shape.yref, value));
  const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [...x, ...y].map(px);
  const width = shape.line?.width ?? 2;
  const dash = dashOf(shape.line?.dash, width);
  return (
    <path
      d={shape.type === 'rect' ? `M${x0} ${y0}H${x1}V${y1}H${x0}Z` : `M${x0} ${y0}L${x1} ${y1}`}
      fill={shape.type === 'rect' ? (shape.fillcolor ?? 'none') : 'none'}
      {...(shape.opacity === undefined ? {} : { opacity: shape.opacity })}
      {...(width > 0 ? { stroke: String(shape.line?.color), strokeWidth: width } : {})}
      {...(dash ? { strokeDasharray: dash } : {})}
    />
  );
}

/** By which share of its size a note is moved from its place, so that the named side of it stands there. */
const SIDES: Readonly<Record<string, number>> = { left: 0.5, top: 0.5, right: -0.5, bottom: -0.5 };
const autoSide = (share: number, low: string, high: string): string =>
  share < 1 / 3 ? low : share > 2 / 3 ? high : 'center';

interface NoteProps extends StillProps {
  readonly note: Partial<Annotations>;
}

function Note({ note, settled, colors }: NoteProps) {
  const text = note.text ?? '';
  if (note.visible === false || text === '') return null;
  const size = typeof note.font?.size === 'number' ? note.font.size : 13;
  const padding = (note.borderpad ?? 1) + 1;
  const [textW, textH] = [textWidth(text, size), textHeight(text, size)];
  const { ascent, descent } = lineBox(size);
  const isUpright = Number(note.textangle) === -90;
  const [width, height] = [Math.round(textW + 2 * padding), Math.round(textH + 2 * padding)];
  const [across, down] = isUpright ? [height, width] : [width, height];
  const at = {
    x: placeOf(settled, 'x', note.xref as string | undefined, note.x),
    y: placeOf(settled, 'y', note.yref as string | undefined, note.y),
  };
  const isArrow = note.showarrow !== false;
  const shareX = note.xref === 'paper' && !isArrow ? Number(note.x) : 0.5;
  const shareY = note.yref === 'paper' && !isArrow ? 1 - Number(note.y) : 0.5;
  const side = (own: string | undefined, auto: string): number =>
    SIDES[own === undefined || own === 'auto' ? auto : own] ?? 0;
  const x = isArrow
    ? at.x + Number(note.ax ?? 0)
    : at.x + across * side(note.xanchor, autoSide(shareX, 'left', 'right')) + (note.xshift ?? 0);
  const y = isArrow
    ? at.y + Number(note.ay ?? 0)
    : at.y + down * side(note.yanchor, autoSide(shareY, 'top', 'bottom')) - (note.yshift ?? 0);
  const color = String(note.font?.color ?? colors.ink);
  // The box is placed on whole pixels.
  const [left, top] = [Math.round(x - width / 2), Math.round(y - height / 2)];
  return (
    <g {...(note.opacity === undefined ? {} : { opacity: note.opacity })}>
      {isArrow && <Leader from={[x, y]} half={[width / 2, height / 2]} to={[at.x, at.y]} note={note} />}
      {note.bgcolor !== undefined && (
        <rect x={left} y={top} width={width} height={height} fill={String(note.bgcolor)} />
      )}
      {isUpright ? (
        <RichText
          text={text}
          x={px(x + (ascent - descent) / 2)}
          y={px(y)}
          size={size}
          color={color}
          angle={-90}
        />
      ) : (
        <RichText
          text={text}
          x={px(left + padding + textW / 2)}
          y={px(top + padding + ascent)}
          size={size}
          color={color}
        />
      )}
    </g>
  );
}

interface LeaderProps {
  readonly from: Point;
  /** Half the size of the box the line starts at. */
  readonly half: Point;
  readonly to: Point;
  readonly note: Partial<Annotations>;
}

/** The line from a note to what it names. */
function Leader({ from, half, to, note }: LeaderProps) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const start = Math.min(half[0] / Math.abs(dx || 1e-9), half[1] / Math.abs(dy || 1e-9));
  const end = 1 - (note.standoff ?? 0) / length;
  if (start >= end) return null;
  return (
    <path
      d={`M${px(from[0] + start * dx)} ${px(from[1] + start * dy)}L${px(from[0] + end * dx)} ${px(from[1] + end * dy)}`}
      stroke={note.arrowcolor}
      strokeWidth={note.arrowwidth ?? 1}
    />
  );
}

interface EntryProps extends StillProps {
  readonly entry: LegendEntry;
}

/** px: where the sample of an entry begins and ends, and its text begins. */
const SAMPLE = { from: 5, middle: 20, to: 35, text: 40, largest: 16 } as const;

function Entry({ entry: { series, name, x, y }, settled, colors }: EntryProps) {
  const size = legendFont(settled.layout);
  const look = markerLook(series, 0, colors.ink);
  const radius = Math.max(1, Math.min(SAMPLE.largest / 2, look.radius));
  const hasFill = series.fill !== undefined && series.fill !== 'none';
  return (
    <g transform={`translate(${px(x)} ${px(y)})`} {...(isShown(series) ? {} : { opacity: 0.5 })}>
      {hasFill && <path d="M5 0h30v6h-30z" fill={series.fillcolor} />}
      {has(series, 'lines') && (
        <path d={`M${SAMPLE.from} ${hasFill ? -1 : 0}H${SAMPLE.to}`} {...lineLook(series, colors.ink)} />
      )}
      {has(series, 'markers') && <Marker look={{ ...look, radius, opacity: 1 }} at={[SAMPLE.middle, 0]} />}
      <RichText
        text={name}
        x={SAMPLE.text}
        y={px(0.3 * LINE_HEIGHT * size)}
        size={size}
        color={colors.ink}
        anchor="start"
      />
    </g>
  );
}

/** The scale of a series whose colours say a number, at the right of the drawing. */
function ColorScale({ series, settled, colors }: SeriesProps) {
  const { marker = {} } = series;
  const [low, high] = Array.isArray(marker.colorscale) ? marker.colorscale : [];
  if (!isShown(series) || !marker.showscale || !Array.isArray(low) || !Array.isArray(high)) return null;
  const { box } = settled;
  const bar = marker.colorbar ?? {};
  const size = bar.tickfont?.size ?? 13;
  const title = typeof bar.title === 'object' ? bar.title : undefined;
  const length = (bar.len ?? 1) * (box.bottom - box.top) - 2 * (bar.ypad ?? 10);
  const middle = (box.top + box.bottom) / 2;
  const axis: Axis = {
    letter: 'y',
    layout: {},
    range: [marker.cmin ?? 0, marker.cmax ?? 1],
    ends: [middle + length / 2, middle - length / 2],
    ticks: [],
    names: [],
    anchor: 'x',
  };
  const scale = { range: axis.range, length, letter: 'y' } as const;
  const left = box.right + (bar.xpad ?? 10);
  const width = bar.thickness ?? 30;
  const ticks = tickPlaces(scale).map((at) => ({ at, text: tickText(at, scale, '') }));
  const widest = Math.max(0, ...ticks.map(({ text }) => textWidth(text, size)));
  const steps = Array.from({ length: SCALE_STEPS }, (_, step) => step);
  return (
    <g>
      {each(steps, (step) => (
        <rect
          x={left}
          y={px(axis.ends[1] + (1 - (step + 1) / SCALE_STEPS) * length)}
          width={width}
          height={px(length / SCALE_STEPS + 0.5)}
          fill={mixedColor(low[1], high[1], step / (SCALE_STEPS - 1))}
        />
      ))}
      <rect
        x={left}
        y={px(axis.ends[1])}
        width={width}
        height={px(length)}
        fill="none"
        stroke={colors.ink}
        strokeWidth={bar.outlinewidth ?? 1}
      />
      {each(ticks, ({ at, text }) => (
        <RichText
          text={text}
          x={left + width + labelGap(size)}
          y={px(placeOn(axis, at) + 0.35 * size)}
          size={size}
          color={colors.ink}
          anchor="start"
        />
      ))}
      {title?.text && (
        <RichText
          text={title.text}
          x={px(left + width + labelGap(size) + widest + 2 + 0.35 * size)}
          y={px(middle)}
          size={title.font?.size ?? size}
          color={colors.ink}
          angle={90}
        />
      )}
    </g>
  );
}

const SCALE_STEPS = 32;

export function Still({ settled, colors }: StillProps) {
  const { width, height, layout, data, axes, legend } = settled;
  const shapes = layout.shapes ?? [];
  const isBelow = ({ layer }: Partial<Shape>): boolean => layer === 'below';
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fontFamily={CHART_FONT}
      data-still=""
      aria-hidden="true"
    >
      <Clipped box={settled.box}>
        {each(shapes.filter(isBelow), (shape) => (
          <DrawnShape shape={shape} settled={settled} />
        ))}
      </Clipped>
      <ZeroLines settled={settled} />
      {each(data, (series) => (
        <DrawnSeries series={series} settled={settled} colors={colors} />
      ))}
      {each([...axes], ([id, axis]) => (
        <DrawnAxis id={id} axis={axis} settled={settled} />
      ))}
      <Clipped box={settled.box}>
        {each(
          shapes.filter((shape) => !isBelow(shape)),
          (shape) => (
            <DrawnShape shape={shape} settled={settled} />
          ),
        )}
      </Clipped>
      {each(data, (series) => (
        <ColorScale series={series} settled={settled} colors={colors} />
      ))}
      {each(legend, (entry) => (
        <Entry entry={entry} settled={settled} colors={colors} />
      ))}
      {each(layout.annotations ?? [], (note) => (
        <Note note={note} settled={settled} colors={colors} />
      ))}
    </svg>
  );
}

function ZeroLines({ settled }: { readonly settled: Settled }) {
  return each([...settled.axes.values()], (axis) => {
    const { layout, range, letter } = axis;
    const anchor = settled.axes.get(axis.anchor);
    if (!layout.zeroline || !anchor || Math.min(...range) > 0 || Math.max(...range) < 0) return null;
    const at = px(placeOn(axis, 0));
    const [from, to] = anchor.ends;
    return (
      <path
        d={letter === 'y' ? `M${from} ${at}H${to}` : `M${at} ${from}V${to}`}
        stroke={String(layout.zerolinecolor)}
      />
    );
  });
}
