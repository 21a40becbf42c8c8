/** A drawing of the page as a file of its own: computed styles are written into it, since no style sheet goes along. */
import type { Download } from '../../components/file-origin.tsx';

const CARRIED = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'paint-order',
  'font-family',
  'font-style',
] as const;
/** Pixels across: sharp in print at a column's width. */
const PICTURE_WIDTH = 1600;

function standAlone(drawing: SVGSVGElement): { text: string; width: number; height: number } {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = drawing.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const style = getComputedStyle(original);
    for (const property of CARRIED) element.setAttribute(property, style.getPropertyValue(property));
    element.removeAttribute('class');
  });
  const { width, height } = drawing.viewBox.baseVal;
  copy.removeAttribute('class');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

export const saveSvg = (drawing: SVGSVGElement, name: string, download: Download): void =>
  download.svg(`${name}.svg`, standAlone(drawing).text);

export async function savePng(drawing: SVGSVGElement, name: string, download: Download): Promise<void> {
  const { text, width, height } = standAlone(drawing);
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = PICTURE_WIDTH;
  canvas.height = Math.round((PICTURE_WIDTH * height) / width);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  download.picture(`${name}.png`, canvas.toDataURL('image/png'));
}
