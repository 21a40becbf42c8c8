/** Figures for papers: the widths of one and two columns, text of 8 pt, 600 dots per inch, a transparent background. */
import type { ChartColors } from './chart-theme.ts';

/**
 * Saves a figure as a PDF in its own size, through the print dialog of the browser. Lines and letters stay vectors, in
 * the fonts of the page; a PDF library would have to ship these fonts to embed them.
 */

const NAME = 'uc-printed-figure';

interface PrintedFigure {
  /** Name without extension, which browsers propose for the PDF. */
  readonly name: string;
  readonly svg: string;
  /** cm */
  readonly width: number;
  readonly height: number;
}

const sheetOf = ({ width, height }: PrintedFigure): string => `
  @page { size: ${width}cm ${height}cm; margin: 0; }
  @media screen { .${NAME} { display: none; } }
  @media print {
    html, body { margin: 0; padding: 0; min-height: 0; background: none; }
    body > :not(.${NAME}) { display: none !important; }
    .${NAME} { display: block; width: ${width}cm; height: ${height}cm; }
  }`;

/** Opens the print dialog with only the figure, and restores the page when it closes. */
export async function printFigure(figure: PrintedFigure): Promise<void> {
  const url = URL.createObjectURL(new Blob([figure.svg], { type: 'image/svg+xml' }));
  const image = new Image();
  image.className = NAME;
  image.alt = '';
  image.src = url;
  await image.decode();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(sheetOf(figure));
  const { title } = document;
  document.body.append(image);
  document.adoptedStyleSheets.push(sheet);
  document.title = figure.name;
  addEventListener(
    'afterprint',
    () => {
      image.remove();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
      document.title = title;
      URL.revokeObjectURL(url);
    },
    { once: true },
  );
  print();
}

export const FIGURE_SIZES = ['single', 'double'] as const;
export type FigureSize = (typeof FIGURE_SIZES)[number];
export const FIGURE_FORMATS = ['pdf', 'svg', 'png'] as const;
export type FigureFormat = (typeof FIGURE_FORMATS)[number];

/** cm, as most journals print. */
export const FIGURE_CM: Readonly<Record<FigureSize, { readonly width: number; readonly height: number }>> = {
  single: { width: 8.6, height: 7 },
  double: { width: 17.8, height: 10 },
};

const CM_PER_INCH = 2.54;
const POINTS_PER_INCH = 72;
const DOTS_PER_INCH = 600;
/** Text size of charts: 13 px in the layout, 8 pt on paper. */
const TEXT = { px: 13, points: 8 } as const;
const PX_PER_CM = (TEXT.px / TEXT.points) * (POINTS_PER_INCH / CM_PER_INCH);

/** The size in px at which a chart is laid out, and the number of image dots per px. */
export function figureLayout(size: FigureSize) {
  const { width, height } = FIGURE_CM[size];
  return {
    width: Math.round(width * PX_PER_CM),
    height: Math.round(height * PX_PER_CM),
    scale: DOTS_PER_INCH / CM_PER_INCH / PX_PER_CM,
  };
}

/** Sets width and height of the SVG in centimetres; the units inside the drawing are unchanged. */
export function svgOnPaper(svg: string, size: FigureSize): string {
  const { width, height } = FIGURE_CM[size];
  return svg
    .replace(/(<svg[^>]*?) width="[^"]*"/, `$1 width="${width}cm"`)
    .replace(/(<svg[^>]*?) height="[^"]*"/, `$1 height="${height}cm"`);
}

/** The colours of the light scheme, also if the page is dark, because paper is white. */
export const PAPER_COLORS: ChartColors = {
  ink: '#191d22',
  faint: '#636a72',
  rule: '#d9d5ca',
  surface: '#ffffff',
  series: ['#174b73', '#b03a24', '#1a7053', '#c98a12', '#694a97'],
  stable: '#1a7053',
  unstable: '#b03a24',
  highlight: '#c98a12',
};
