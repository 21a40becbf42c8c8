/** The lower envelope along a straight line: a convex, piecewise linear function of one parameter. */
import type { LowerEnvelope } from './lower-envelope.ts';

/**
 * If the tangents meet less than this below the envelope, relative to the size of the point, the envelope has a corner
 * there.
 */
export const TOUCH_TOLERANCE = 1e-11;

/**
 * Slopes that differ by less than this belong to one straight piece; in eV per atom this is far below the
 * precision of published energies.
 */
export const SLOPE_TOLERANCE = 1e-8;

/** Breakpoints closer than this share of the line's length count as one. */
const SAME_BREAKPOINT = 1e-9;

export interface EnvelopeProfile {
  /** Ends of the straight pieces, ascending; the first is 0, the last is the end of the line. */
  readonly breakpoints: readonly number[];
  /** Height of the envelope at each breakpoint. */
  readonly heights: readonly number[];
  /** Slope of each piece; one fewer than breakpoints, ascending. */
  readonly slopes: readonly number[];
}

/**
 * Limit on the number of intervals examined. Lines through real phase diagrams have less than a thousandth of this
 * number of pieces.
 */
export const MAX_PROFILE_STEPS = 100_000;

interface Tangent {
  readonly height: number;
  readonly slope: number;
}

/** An interval of the line with the tangents at its ends. */
interface Interval {
  readonly left: Tangent;
  readonly from: number;
  readonly right: Tangent;
  readonly to: number;
}

/**
 * Breakpoints and slopes of the envelope at `start + t · direction`, 0 ≤ t ≤ end, exact (no grid). The tangents at both
 * ends of an interval are intersected and the envelope is evaluated there. If it lies on the tangents, the intersection
 * is a breakpoint; otherwise both halves are processed in the same way. A slope strictly between those of the ends
 * belongs to a new facet; any other slope is a rounding error, and the intersection counts as a breakpoint.
 *
 * @throws RangeError when a point of the line lies outside the envelope's cone, or beyond `MAX_PROFILE_STEPS`
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

  const isPoint = direction.every((value) => value === 0);
  const open: Interval[] = isPoint ? [] : [{ left: tangentAt(0), from: 0, right: tangentAt(end), to: end }];
  for (let step = 0; open.length > 0; step++) {
    if (step === MAX_PROFILE_STEPS)
      throw new RangeError(
        `envelopeProfile: the line has more than ${MAX_PROFILE_STEPS} pieces; are all numbers finite?`,
      );
    const { left, from, right, to } = open.pop()!;
    const change = right.slope - left.slope;
    if (!(change > SLOPE_TOLERANCE)) continue;
    const t = Math.min(to, Math.max(from, (left.height - right.height) / change));
    const middle = tangentAt(t);
    const isNew = middle.slope > left.slope && middle.slope < right.slope;
    if (!isNew || valueOf(middle, t) - valueOf(left, t) <= TOUCH_TOLERANCE * sizeAt(t)) {
      found.push(t);
      continue;
    }
    open.push({ left, from, right: middle, to: t }, { left: middle, from: t, right, to });
  }

  return straightened(found, end, (t) => envelope.heightAt(pointAt(t)));
}

/** Joins equal breakpoints, and drops breakpoints where the slope does not change. */
function straightened(
  found: readonly number[],
  end: number,
  heightAt: (t: number) => number,
): EnvelopeProfile {
  const apart = SAME_BREAKPOINT * end;
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
