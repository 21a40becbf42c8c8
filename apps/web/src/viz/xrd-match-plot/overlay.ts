/** Calculations for a reference drawn over a measurement, all at the measured angles. */

export interface Curve {
  /** 2θ in degrees, increasing. */
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** The curve's values at other angles, linear between its points and zero outside them. */
export function resample({ x, y }: Curve, angles: readonly number[]): number[] {
  let at = 0;
  return angles.map((angle) => {
    while (at + 1 < x.length && (x[at + 1] ?? 0) < angle) at += 1;
    const [x0, x1, y0, y1] = [x[at], x[at + 1], y[at], y[at + 1]];
    if (x0 === undefined || y0 === undefined || angle < x0) return 0;
    if (x1 === undefined || y1 === undefined) return angle === x0 ? y0 : 0;
    return y0 + ((y1 - y0) * (angle - x0)) / (x1 - x0);
  });
}

/** The factor that brings `calculated` nearest to `measured` (least squares); zero if they have nothing in common. */
export function bestScale(measured: readonly number[], calculated: readonly number[]): number {
  let product = 0;
  let square = 0;
  for (const [index, value] of calculated.entries()) {
    product += value * (measured[index] ?? 0);
    square += value * value;
  }
  return square > 0 ? Math.max(0, product / square) : 0;
}

export interface Overlay {
  /** Factor from the reference's intensities to the measurement's. */
  readonly scale: number;
  /** The scaled reference at the measured angles. */
  readonly calculated: readonly number[];
  /** Measured minus calculated. */
  readonly difference: readonly number[];
}

/**
 * The reference scaled to the measurement, and the difference. `baseline` is the background still in the measurement,
 * at its angles; the reference is added to it.
 */
export function overlayOf(measured: Curve, reference: Curve, baseline: ArrayLike<number> = []): Overlay {
  const unscaled = resample(reference, measured.x);
  const above = measured.y.map((value, index) => value - (baseline[index] ?? 0));
  const scale = bestScale(above, unscaled);
  const calculated = unscaled.map((value, index) => (baseline[index] ?? 0) + scale * value);
  return {
    scale,
    calculated,
    difference: calculated.map((value, index) => (measured.y[index] ?? 0) - value),
  };
}

/** A screen has fewer columns than this number of points. */
const DRAWN_POINTS = 6000;

/** The curve reduced to the lowest and highest point of every stretch, so that no peak is lost in the drawing. */
export function thinned(curve: Curve, limit = DRAWN_POINTS): Curve {
  const { x, y } = curve;
  if (x.length <= limit) return curve;
  const stretch = Math.ceil((2 * x.length) / limit);
  const kept: number[] = [];
  for (let from = 0; from < x.length; from += stretch) {
    let low = from;
    let high = from;
    for (let i = from; i < Math.min(x.length, from + stretch); i++) {
      if ((y[i] ?? 0) < (y[low] ?? 0)) low = i;
      if ((y[i] ?? 0) > (y[high] ?? 0)) high = i;
    }
    kept.push(...new Set([Math.min(low, high), Math.max(low, high)]));
  }
  const pick = (values: readonly number[]): number[] => kept.map((index) => values[index] ?? 0);
  return { x: pick(x), y: pick(y) };
}
