/** A position on a k-path by the names of its segment's ends, shared by the band plot and the drawing of the zone. */
import type { Vec3 } from '@unitcell/numerics';
import { kPointLabel } from '@unitcell/symmetry';

export interface PathPlace {
  /** Names of the ends, as returned by pointKey. */
  readonly from: string;
  readonly to: string;
  /** 0 at `from`, 1 at `to`. */
  readonly fraction: number;
}

/** A key of a labelled point that is equal for all spellings of its label. */
export function pointKey(name: string): string {
  const { symbol, index } = kPointLabel(name);
  return symbol + index;
}

/** The name with its subscript as a character: `X₁`, for hover texts and tick labels. */
export function pointText(name: string): string {
  const { symbol, index } = kPointLabel(name);
  return symbol + index.replace(/\d/g, (digit) => String.fromCodePoint(0x2080 + Number(digit)));
}

/** As text: `Γ`, or `Γ → X 35 %` between two points. */
export function placeText({ from, to, fraction }: PathPlace): string {
  if (fraction <= 0) return pointText(from);
  if (fraction >= 1) return pointText(to);
  return `${pointText(from)} → ${pointText(to)}, ${Math.round(100 * fraction)} %`;
}

export const between = (a: Vec3, b: Vec3, fraction: number): Vec3 => [
  a[0] + (b[0] - a[0]) * fraction,
  a[1] + (b[1] - a[1]) * fraction,
  a[2] + (b[2] - a[2]) * fraction,
];
