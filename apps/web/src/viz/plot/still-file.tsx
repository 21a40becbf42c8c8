/** A still drawing as the text of an SVG file, and as pixels. */
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { ChartColors } from './chart-theme.ts';
import type { Settled } from './settled.ts';
import { Still } from './still.tsx';

export function svgOf(settled: Settled, colors: ChartColors): string {
  const holder = document.createElement('div');
  const root = createRoot(holder);
  flushSync(() => root.render(<Still settled={settled} colors={colors} />));
  const drawing = holder.firstElementChild;
  const text = drawing ? new XMLSerializer().serializeToString(drawing) : '';
  root.unmount();
  return text;
}

/** @param scale dots of the picture per px of the drawing */
export async function pngOf(svg: string, { width, height }: Settled, scale: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))));
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
