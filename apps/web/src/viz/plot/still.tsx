/** A settled figure as a static SVG: shown until the first interaction, in print, and in the files for papers. */
import type { Annotations, Shape } from 'plotly.js';
import { CHART_FONT } from './chart-theme.ts';
import { isShown } from './plot-figure.ts';
import { each, LINE_HEIGHT, lineBox, RichText, textHeight, textWidth } from './rich-text.tsx';
import { legendFont, type LegendEntry, type Settled } from './settled.ts';
import { ColorScale, DrawnAxis, ZeroLines } from './still-axes.tsx';
import { Clipped, dashOf, placeOn, type Point, px, type StillProps } from './still-parts.tsx';
import { DrawnSeries, has, lineLook, Marker, markerLook } from './still-series.tsx';

/** Position of a shape or a note in px, from a value on an axis or a share of the drawing. */
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

/** Offset of a note as a share of its size, which puts its anchor side at its position. */
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
  const { ascent } = lineBox(size);
  const isUpright = Number(note.textangle) === -90;
  const [width, height] = [Math.round(textW + 2 * padding), Math.round(textH + 2 * padding)];
  const [across, down] = isUpright ? [height, width] : [width, height];
  const at = {
    x: placeOf(settled, 'x', note.xref, note.x),
    y: placeOf(settled, 'y', note.yref, note.y),
  };
  const isArrow = note.showarrow !== false;
  const shareX = note.xref === 'paper' && !isArrow ? Number(note.x) : 0.5;
  const shareY = note.yref === 'paper' && !isArrow ? 1 - Number(note.y) : 0.5;
  const side = (own: string | undefined, auto: string): number =>
    SIDES[own === undefined || own === 'auto' ? auto : own] ?? 0;
  const x = isArrow
    ? at.x + (note.ax ?? 0)
    : at.x + across * side(note.xanchor, autoSide(shareX, 'left', 'right')) + (note.xshift ?? 0);
  const y = isArrow
    ? at.y + (note.ay ?? 0)
    : at.y + down * side(note.yanchor, autoSide(shareY, 'top', 'bottom')) - (note.yshift ?? 0);
  const color = String(note.font?.color ?? colors.ink);
  // The box is placed on whole pixels.
  const [left, top] = [Math.round(x - across / 2), Math.round(y - down / 2)];
  return (
    <g {...(note.opacity === undefined ? {} : { opacity: note.opacity })}>
      {isArrow && <Leader from={[x, y]} half={[across / 2, down / 2]} to={[at.x, at.y]} note={note} />}
      {note.bgcolor !== undefined && (
        <rect x={left} y={top} width={across} height={down} fill={note.bgcolor} />
      )}
      {isUpright ? (
        <RichText
          text={text}
          x={px(x - textH / 2 + ascent)}
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
  /** Half the width and height of the note's box, at whose edge the line starts. */
  readonly half: Point;
  readonly to: Point;
  readonly note: Partial<Annotations>;
}

/** The line from a note to its target. */
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

/**
 * px from the left of a legend entry: begin, middle and end of its sample, and begin of its text; radii of the largest
 * marker and of one that does not follow the series.
 */
const SAMPLE = { from: 5, middle: 20, to: 35, text: 40, largest: 8, constant: 6 } as const;

function Entry({ entry: { series, name, x, y }, settled, colors }: EntryProps) {
  const size = legendFont(settled.layout);
  const look = markerLook(series, 0, colors.ink);
  const isConstant = settled.layout.legend?.itemsizing === 'constant';
  const radius = isConstant ? SAMPLE.constant : Math.max(1, Math.min(SAMPLE.largest, look.radius));
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
      <g transform={`translate(${settled.box.left} ${settled.box.top})`} strokeLinejoin="round">
        {each(settled.pieces, ({ points, color, width: thickness }) => {
          const path = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${px(x)} ${px(y)}`).join('');
          // A thin outline in the colour of the face closes the gap to the next face.
          return (
            <path d={path} fill={thickness ? 'none' : color} stroke={color} strokeWidth={thickness ?? 1} />
          );
        })}
      </g>
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
