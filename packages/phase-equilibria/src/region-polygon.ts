/** A plane section of a region of chemical potentials, as a polygon to draw. */
import type { PotentialLimit } from './chemical-potential-region.ts';

export interface RegionPlane {
  /** The components of the two axes. */
  readonly x: number;
  readonly y: number;
  /**
   * Index of the component whose Δμ follows from the equilibrium with the compound, which must contain it.
   */
  readonly dependent: number;
  /** Fixed Δμ of each component, eV/atom; used for components that are neither on an axis nor dependent. */
  readonly held: readonly number[];
}

export interface PolygonCorner {
  /** Δμ on the axes, eV/atom. */
  readonly x: number;
  readonly y: number;
  /** Index of the limiting phase of the side from this corner to the next; null on the edge of the figure. */
  readonly limit: number | null;
}

/** The starting polygon exceeds the square by this much (eV), so that every limit cuts it. */
const BEYOND = 1;

/** Sides shorter than this (eV) are rounding errors and are removed. */
const SHORTEST_SIDE = 1e-9;

/** Δμ of the dependent component at a point of the plane, eV/atom: Σ amounts · Δμ = formationEnergy. */
export function dependentPotential(
  compound: PotentialLimit,
  { x, y, dependent, held }: RegionPlane,
  at: { readonly x: number; readonly y: number },
): number {
  const rest = compound.amounts.reduce((total, amount, c) => {
    if (c === dependent || amount === 0) return total;
    return total + amount * (c === x ? at.x : c === y ? at.y : held[c]);
  }, 0);
  return (compound.formationEnergy - rest) / compound.amounts[dependent];
}

/**
 * The polygon in the plane, above `lowest` and up to 0, in which no limit is exceeded; its corners are in order. It
 * is empty if the plane misses the region. The limits clip the square one after another (Sutherland & Hodgman,
 * Commun. ACM 17, 32 (1974), doi:10.1145/360767.360802).
 * @param lowest eV/atom on each axis; an unbounded region is drawn down to these values
 */
export function regionPolygon(
  compound: PotentialLimit,
  limits: readonly PotentialLimit[],
  plane: RegionPlane,
  lowest: { readonly x: number; readonly y: number },
): readonly PolygonCorner[] {
  let polygon: readonly PolygonCorner[] = [
    { x: lowest.x, y: lowest.y, limit: null },
    { x: BEYOND, y: lowest.y, limit: null },
    { x: BEYOND, y: BEYOND, limit: null },
    { x: lowest.x, y: BEYOND, limit: null },
  ];
  limits.forEach((limit, index) => {
    polygon = cut(polygon, halfPlane(compound, limit, plane), index);
  });
  return polygon.filter((corner, i) => {
    const next = polygon[(i + 1) % polygon.length];
    return Math.hypot(next.x - corner.x, next.y - corner.y) > SHORTEST_SIDE;
  });
}

/** The half-plane a x + b y ≤ c. */
export interface HalfPlane {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

function halfPlane(
  compound: PotentialLimit,
  limit: PotentialLimit,
  { x, y, dependent, held }: RegionPlane,
): HalfPlane {
  const share = limit.amounts[dependent] / compound.amounts[dependent];
  const of = (component: number): number => limit.amounts[component] - share * compound.amounts[component];
  let c = limit.formationEnergy - share * compound.formationEnergy;
  compound.amounts.forEach((_, component) => {
    if (component !== x && component !== y && component !== dependent) c -= of(component) * held[component];
  });
  return { a: of(x), b: of(y), c };
}

/** Cuts a convex polygon by a half-plane. The new side belongs to the phase `limit`. */
export function cut(
  polygon: readonly PolygonCorner[],
  { a, b, c }: HalfPlane,
  limit: number,
): readonly PolygonCorner[] {
  const excess = polygon.map(({ x, y }) => a * x + b * y - c);
  return polygon.flatMap((corner, i) => {
    const j = (i + 1) % polygon.length;
    const [here, there] = [excess[i], excess[j]];
    const isInside = here <= 0;
    if (isInside === there <= 0) return isInside ? [corner] : [];
    const next = polygon[j];
    const t = here / (here - there);
    const crossing = { x: corner.x + t * (next.x - corner.x), y: corner.y + t * (next.y - corner.y) };
    return isInside ? [corner, { ...crossing, limit }] : [{ ...crossing, limit: corner.limit }];
  });
}
