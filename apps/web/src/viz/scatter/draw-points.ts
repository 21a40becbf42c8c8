/** Hundreds of thousands of points on a canvas: written as pixels, in one pass. */
import { type Extent, placeOf } from './scales.ts';

export interface Cloud {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly color: readonly (number | null)[] | null;
}

type Rgb = readonly [number, number, number];

const mixed = (a: Rgb, b: Rgb, share: number): Rgb => [
  a[0] + share * (b[0] - a[0]),
  a[1] + share * (b[1] - a[1]),
  a[2] + share * (b[2] - a[2]),
];

/** `#rrggbb` → numbers. */
export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.replace('#', ''), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const STEPS = 64;
/** Share of its colour that a single point has; where many lie the colour is full. */
const OPACITY = 0.75;

/** Pixels of a round point; a small one is a square. */
function discOf(size: number): readonly (readonly [number, number])[] {
  const middle = (size - 1) / 2;
  const reach = size < 4 ? size : size / 2 + 0.1;
  const places = Array.from({ length: size * size }, (_, at) => [at % size, Math.floor(at / size)] as const);
  return places.filter(([right, down]) => Math.hypot(right - middle, down - middle) <= reach);
}

interface DrawOptions {
  readonly x: Extent;
  readonly y: Extent;
  readonly color: Extent;
  readonly low: string;
  readonly high: string;
  /** Pixels across a point. */
  readonly size: number;
}

export function drawPoints(context: CanvasRenderingContext2D, cloud: Cloud, options: DrawOptions): void {
  const { width, height } = context.canvas;
  const image = context.createImageData(width, height);
  const { data } = image;
  const { size } = options;
  const [low, high] = [rgbOf(options.low), rgbOf(options.high)];
  const ramp = Array.from({ length: STEPS }, (_, step) => mixed(low, high, step / (STEPS - 1)));
  const disc = discOf(size);
  for (let index = 0; index < cloud.x.length; index++) {
    const left = Math.round(placeOf(options.x, cloud.x[index]!) * (width - 1) - size / 2);
    const top = Math.round((1 - placeOf(options.y, cloud.y[index]!)) * (height - 1) - size / 2);
    const third = cloud.color?.[index] ?? null;
    const share = third === null ? 0 : Math.max(0, Math.min(1, placeOf(options.color, third)));
    const [red, green, blue] = ramp[Math.round(share * (STEPS - 1))]!;
    for (const [right, down] of disc) {
      const [column, row] = [left + right, top + down];
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      const at = 4 * (row * width + column);
      data[at] = red;
      data[at + 1] = green;
      data[at + 2] = blue;
      data[at + 3] = Math.min(255, data[at + 3]! + 255 * OPACITY);
    }
  }
  context.putImageData(image, 0, 0);
}
