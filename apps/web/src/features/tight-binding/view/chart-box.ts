/** Where the parts of the band chart lie, in pixels. */
import { type Interval, positionIn } from './chart-scale.ts';

export interface ChartBox {
  readonly left: number;
  readonly top: number;
  readonly height: number;
  readonly bandsWidth: number;
  /** Left edge and width of the density of states. */
  readonly dosLeft: number;
  readonly dosWidth: number;
}

export function chartBox(width: number, height: number): ChartBox {
  const isNarrow = width < 480;
  const left = isNarrow ? 38 : 54;
  const dosWidth = Math.round(width * (isNarrow ? 0.2 : 0.22));
  const [gap, right, top, bottom] = [isNarrow ? 6 : 12, 8, 26, 30];
  return {
    left,
    top,
    height: Math.max(10, height - top - bottom),
    bandsWidth: Math.max(10, width - left - gap - dosWidth - right),
    dosLeft: width - right - dosWidth,
    dosWidth,
  };
}

export const placeK = ({ left, bandsWidth }: ChartBox, interval: Interval, k: number): number =>
  left + positionIn(k, interval) * bandsWidth;
export const placeEnergy = ({ top, height }: ChartBox, interval: Interval, energy: number): number =>
  top + (1 - positionIn(energy, interval)) * height;
