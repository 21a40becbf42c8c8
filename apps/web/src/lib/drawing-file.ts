/**
 * Saves an SVG drawing of the page as a file. Computed styles are written into the SVG, because the file has no style
 * sheet.
 */

import type { ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** CSS properties of the drawings that come from style sheets. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-opacity',
  'opacity',
  'paint-order',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'vector-effect',
] as const;

interface DrawingSize {
  readonly width: number;
  readonly height: number;
}

/** @param ground colour behind the drawing; default: transparent */
export function drawingText(drawing: SVGSVGElement, { width, height }: DrawingSize, ground = ''): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  [drawing, ...drawing.querySelectorAll<SVGElement>('*')].forEach((original, index) => {
    const style = getComputedStyle(original);
    const own = copies[index];
    own?.removeAttribute('class');
    own?.setAttribute('style', STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';'));
  });
  for (const part of copy.querySelectorAll('[data-screen-only]')) part.remove();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(Math.round(width)));
  copy.setAttribute('height', String(Math.round(height)));
  copy.style.background = ground;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

/** @param scale pixels of the image per pixel of the drawing */
export const drawingPng = (
  drawing: SVGSVGElement,
  size: DrawingSize,
  scale: number,
  ground = '',
): Promise<Blob> => svgPicture(drawingText(drawing, size, ground), size, scale, ground);

/** The text of an SVG file that is drawn for the file alone and needs no style sheet. */
export function svgText(drawing: ReactElement): string {
  const holder = document.createElement('div');
  const root = createRoot(holder);
  flushSync(() => root.render(drawing));
  const svg = holder.firstElementChild;
  const text = svg ? new XMLSerializer().serializeToString(svg) : '';
  root.unmount();
  return text;
}

/** The PNG of an SVG text that needs no style sheet. */
export async function svgPicture(svg: string, size: DrawingSize, scale: number, ground = ''): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser draws no canvas');
  if (ground !== '') {
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))), 'image/png');
  });
}
