/** The lower envelope along a straight line: a convex, piecewise linear function of one parameter. */
import type { LowerEnvelope } from './lower-envelope.ts';

/** A chord this close to the envelope (as a share of the point's size, in units of height) lies on it. */
export const TOUCH_TOLERANCE = 1e-11;

/** Slopes that differ by less are one straight piece; in eV per atom this is far below any published energy. */
export const SLOPE_TOLERANCE = 1e-8;

export interface EnvelopeProfile {
  /** Ends of the straight pieces, ascending: the first is 0, the last the end of the line. */
  readonly breakpoints: readonly number[];
  /** Height of the envelope at each breakpoint. */
  readonly heights: readonly number[];
  /** Slope of each piece; one fewer than breakpoints, ascending. */
  readonly slopes: readonly number[];
}

interface Tangent {
  readonly height: number;
  readonly slope: number;
}

/**
 * Breakpoints and slopes of the envelope at `start + t · direction`, 0 ≤ t ≤ end, exact (no grid): the tangents at
 * both ends of an interval are intersected and the envelope is asked there; where it lies on the tangents there is
 * one breakpoint, else both halves are treated alike. Every step finds a new facet, so the recursion ends.
 *
 * @throws RangeError when a point of the line lies outside the envelope's cone
 */
export function envelopeProfile(
  envelope: LowerEnvelope,
  start: Float64Array,
  direction: Float64Array,
  end: number,
): EnvelopeProfile {
  const pointAt = (t: number): Float64Array => start.map((value, c) => value + t * direction[c]);
  const tangentAt = (t: number): Tangent => {
    const facet = envelope.locate(pointAt(t));
    return { height: envelope.planeAt(facet, start), slope: envelope.planeAt(facet, direction) };
  };
  const valueOf = ({ height, slope }: Tangent, t: number): number => height + slope * t;
  const sizeAt = (t: number): number => pointAt(t).reduce((sum, value) => sum + Math.abs(value), 0);
  const found: number[] = [];

  function refine(left: Tangent, from: number, right: Tangent, to: number): void {
    const turn = right.slope - left.slope;
    if (turn <= SLOPE_TOLERANCE) return;
    const t = Math.min(to, Math.max(from, (left.height - right.height) / turn));
    const middle = tangentAt(t);
    if (valueOf(middle, t) - valueOf(left, t) <= TOUCH_TOLERANCE * sizeAt(t)) {
      found.push(t);
      return;
    }
    refine(left, from, middle, t);
    refine(middle, t, right, to);
  }
  if (direction.some((value) => value !== 0)) refine(tangentAt(0), 0, tangentAt(end), end);

  return straightened(found, end, (t) => envelope.heightAt(pointAt(t)));
}

/** Joins equal breakpoints and drops those that do not turn. */
function straightened(
  found: readonly number[],
  end: number,
  heightAt: (t: number) => number,
): EnvelopeProfile {
  const apart = 1e-9 * end;
  const inner = found.filter((t) => t > apart && t < end - apart).sort((a, b) => a - b);
  const breakpoints = [0];
  for (const t of inner) if (t - breakpoints[breakpoints.length - 1] > apart) breakpoints.push(t);
  breakpoints.push(end);
  const heights = breakpoints.map(heightAt);
  const slope = (i: number): number => (heights[i + 1] - heights[i]) / (breakpoints[i + 1] - breakpoints[i]);
  for (let i = breakpoints.length - 2; i > 0; i--)
    if (slope(i) - slope(i - 1) <= SLOPE_TOLERANCE) {
      breakpoints.splice(i, 1);
      heights.splice(i, 1);
    }
  return { breakpoints, heights, slopes: breakpoints.slice(1).map((_, i) => slope(i)) };
}
