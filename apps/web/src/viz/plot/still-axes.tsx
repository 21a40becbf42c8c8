/** The axes and the colour scales of a static drawing. */
import { colorOn } from './chart-theme.ts';
import { tickPlaces, tickText } from './axis-ticks.ts';
import { isShown } from './plot-figure.ts';
import { each, RichText, textWidth } from './rich-text.tsx';
import { type Axis, labelGap, type Settled, tickFontOf } from './settled.ts';
import { placeOn, px, stopsOf } from './still-parts.tsx';
import type { SeriesProps } from './still-series.tsx';

/** A side of the plot area with an axis: its position in px, and the direction that points out of the area. */
interface Edge {
  readonly at: number;
  readonly outwards: 1 | -1;
}

export function DrawnAxis({
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
  // Axis lines are outside the box.
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
          shapeRendering="crispEdges"
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
          shapeRendering="crispEdges"
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

/** The colour scale of a series whose colours represent a number, at the right of the drawing. */
export function ColorScale({ series, settled, colors }: SeriesProps) {
  const { marker = {} } = series;
  const stops = stopsOf(marker.colorscale);
  if (!isShown(series) || !marker.showscale || !stops) return null;
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
  const left = box.left + (bar.x ?? 1.02) * (box.right - box.left) + (bar.xpad ?? 10);
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
          fill={colorOn(stops, step / (SCALE_STEPS - 1))}
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
          x={px(left + width + labelGap(size) + widest + 6 + 0.7 * size)}
          y={px(middle)}
          size={title.font?.size ?? size}
          color={colors.ink}
          angle={-90}
        />
      )}
    </g>
  );
}

const SCALE_STEPS = 32;

export function ZeroLines({ settled }: { readonly settled: Settled }) {
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
