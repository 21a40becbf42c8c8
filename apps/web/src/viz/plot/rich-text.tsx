/** Texts of figures as SVG, with the few tags that plotly.js supports. */
import { createElement, Fragment, type ReactNode } from 'react';
import { CHART_FONT } from './chart-theme.ts';

interface Run {
  readonly text: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isBarred: boolean;
  readonly shift: 'sub' | 'sup' | null;
}

/**
 * A text with a bar above it, as for negative Miller indices. A combining macron is not used: the chart's font lacks
 * it, and a macron of another font would be displaced.
 */
export const barred = (text: string): string => `<span style="text-decoration:overline">${text}</span>`;

const SIGNS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&nbsp;': '\u00a0',
};

/** The lines of a text, each as runs of one style. */
export function runsOf(markup: string): readonly (readonly Run[])[] {
  let [isBold, isItalic, isBarred] = [false, false, false];
  let shift: Run['shift'] = null;
  const lines: Run[][] = [[]];
  for (const part of markup.split(/(<\/?(?:b|i|sub|sup|span)\b[^>]*>|<br\s*\/?>)/)) {
    const [, closing, tag] = /^<(\/?)(b|i|sub|sup|span|br)\b/.exec(part) ?? [];
    if (tag === 'br') lines.push([]);
    else if (tag === 'b') isBold = closing === '';
    else if (tag === 'i') isItalic = closing === '';
    else if (tag === 'span') isBarred = closing === '';
    else if (tag === 'sub' || tag === 'sup') shift = closing === '' ? tag : null;
    else if (part !== '') {
      const text = part.replaceAll(/&(?:lt|gt|amp|nbsp);/g, (sign) => SIGNS[sign] ?? sign);
      lines.at(-1)?.push({ text, isBold, isItalic, isBarred, shift });
    }
  }
  return lines;
}

/** Font size and vertical shift of a subscript or superscript, as shares of the text size. */
const SMALL = 0.7;
const MOVED = { sub: 0.3, sup: -0.6 } as const;
export const LINE_HEIGHT = 1.3;

let context: CanvasRenderingContext2D | null | undefined;

/** Approximate sizes of the usual sans-serif fonts, used if there is no canvas to measure on. */
const USUAL = { width: 0.55, ascent: 0.9, descent: 0.21 } as const;

function measured(text: string, size: number, isBold: boolean): TextMetrics | null {
  if (context === undefined)
    context =
      typeof CanvasRenderingContext2D === 'undefined'
        ? null
        : document.createElement('canvas').getContext('2d');
  if (!context) return null;
  context.font = `${isBold ? 'bold ' : ''}${size}px ${CHART_FONT}`;
  return context.measureText(text);
}

const widthOfWord = (text: string, size: number, isBold: boolean): number =>
  measured(text, size, isBold)?.width ?? USUAL.width * size * text.length;

/** px from the baseline to the top and the bottom of the box of a line. */
export function lineBox(size: number): { readonly ascent: number; readonly descent: number } {
  const font = measured('', size, false);
  return {
    ascent: font?.fontBoundingBoxAscent ?? USUAL.ascent * size,
    descent: font?.fontBoundingBoxDescent ?? USUAL.descent * size,
  };
}

/** Width of the widest line, px. */
export const textWidth = (markup: string, size: number): number =>
  Math.max(
    ...runsOf(markup).map((line) =>
      line.reduce(
        (sum, { text, isBold, shift }) => sum + widthOfWord(text, shift ? SMALL * size : size, isBold),
        0,
      ),
    ),
  );

/** Height in px of the box around the lines of a text. */
export function textHeight(markup: string, size: number): number {
  const { ascent, descent } = lineBox(size);
  return ascent + descent + (runsOf(markup).length - 1) * LINE_HEIGHT * size;
}

interface RichTextProps {
  readonly text: string;
  /** Position of the first baseline, px. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly color: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Rotation about `x`, `y` in degrees. */
  readonly angle?: number;
}

/** The parts of a drawing never change places, so they need no keys. */
export const each = <Item,>(
  items: readonly Item[],
  draw: (item: Item, index: number) => ReactNode,
): ReactNode => createElement(Fragment, null, ...items.map(draw));

export function RichText({ text, x, y, size, color, anchor = 'middle', angle = 0 }: RichTextProps) {
  return (
    <text
      x={x}
      y={y}
      fontSize={size}
      fill={color}
      textAnchor={anchor}
      {...(angle === 0 ? {} : { transform: `rotate(${angle} ${x} ${y})` })}
    >
      {each(runsOf(text), (line, index) => (
        <tspan {...(index === 0 ? {} : { x, y: y + index * LINE_HEIGHT * size })}>
          {each(line, (run, place) => (
            <tspan
              dy={shiftOf(run) * size - shiftOf(line[place - 1]) * size || undefined}
              {...(run.shift ? { fontSize: SMALL * size } : {})}
              {...(run.isBold ? { fontWeight: 'bold' } : {})}
              {...(run.isItalic ? { fontStyle: 'italic' } : {})}
              {...(run.isBarred ? { textDecoration: 'overline' } : {})}
            >
              {run.text}
            </tspan>
          ))}
        </tspan>
      ))}
    </text>
  );
}

const shiftOf = (run: Run | undefined): number => (run?.shift ? MOVED[run.shift] : 0);
