/**
 * A figure as a PDF of its own size, by the print dialog of the browser: lines stay lines and letters letters, in the fonts the page
 * has, which no library could embed without shipping them.
 */

const NAME = 'uc-printed-figure';

interface PrintedFigure {
  /** Without extension: browsers propose it as the name of the PDF. */
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

/** Opens the print dialog with nothing but the figure; the page is as before when it closes. */
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
