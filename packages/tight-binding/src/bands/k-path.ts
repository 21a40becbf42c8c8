/**
 * Paths through the Brillouin zone by plane group. Points are in fractions of the reciprocal vectors of the primitive
 * cell.
 *
 * | groups | path |
 * |---|---|
 * | p3 p3m1 p31m p6 p6mm | Γ–M–K–Γ |
 * | p4 p4mm p4gm | Γ–X–M–Γ |
 * | pm pg p2mm p2mg p2gg | Γ–X–S–Y–Γ |
 * | cm c2mm (primitive, a₁ = a₂, angle ≤ 90°) | Γ–X–A1–Y–Γ |
 * | p1 p2 (angle ≤ 90°) | Γ–Y–H–C–H1–X–Γ |
 *
 * The points of the last two rows are the corners and side centres of the zone (W. Setyawan, S. Curtarolo,
 * Comput. Mater. Sci. 49 (2010) 299, in two dimensions as in ASE's 2D Bravais lattices).
 */
import type { PlaneGroup } from '../net.ts';
import { dot2, inverse2, type Mat2, rowTimesMatrix2, transpose2, type Vec2 } from '../periodic-graph.ts';

export interface KPoint {
  readonly label: string;
  readonly k: Vec2;
}

/**
 * Corners nearer to the centre of an adjacent side than this (in fractions) are merged with the centre. In
 * cells that happen to be rectangular or square the segment between them would be invisible.
 */
export const COINCIDENT_K_TOLERANCE = 2e-3;

const gamma: KPoint = { label: 'Γ', k: [0, 0] };
const hexagonal: KPoint[] = [gamma, { label: 'M', k: [0.5, 0] }, { label: 'K', k: [1 / 3, 1 / 3] }, gamma];
const square: KPoint[] = [gamma, { label: 'X', k: [0.5, 0] }, { label: 'M', k: [0.5, 0.5] }, gamma];
const rectangular: KPoint[] = [
  gamma,
  { label: 'X', k: [0.5, 0] },
  { label: 'S', k: [0.5, 0.5] },
  { label: 'Y', k: [0, 0.5] },
  gamma,
];

/** Corners of the path for a net, in order; the first and last are Γ. */
export function kPathCorners(group: PlaneGroup, latticeVectors: Mat2): KPoint[] {
  switch (group) {
    case 'p3':
    case 'p3m1':
    case 'p31m':
    case 'p6':
    case 'p6mm':
      return hexagonal;
    case 'p4':
    case 'p4mm':
    case 'p4gm':
      return square;
    case 'cm':
    case 'c2mm':
      return withoutCornersAt('Y', rhombic(latticeVectors));
    case 'p1':
    case 'p2':
      return withoutCornersAt('C', oblique(latticeVectors));
    default:
      return rectangular;
  }
}

function rhombic([a1, a2]: Mat2): KPoint[] {
  const angle = Math.acos(dot2(a1, a2) / (Math.hypot(...a1) * Math.hypot(...a2)));
  const e = Math.sin(angle / 2) ** 2 / Math.sin(angle) ** 2;
  const x = e * Math.cos(angle);
  return [
    gamma,
    { label: 'X', k: [e, -e] },
    { label: 'A1', k: [0.5 + x, 0.5 - x] },
    { label: 'Y', k: [0.5, 0.5] },
    gamma,
  ];
}

function oblique([a1, a2]: Mat2): KPoint[] {
  const [a, b] = [Math.hypot(...a1), Math.hypot(...a2)];
  const cosine = dot2(a1, a2) / (a * b);
  const e = (1 - (a * cosine) / b) / (2 * (1 - cosine * cosine));
  const n = 0.5 - (e * b * cosine) / a;
  return [
    gamma,
    { label: 'Y', k: [0, 0.5] },
    { label: 'H', k: [e, 1 - n] },
    { label: 'C', k: [0.5, 0.5] },
    { label: 'H1', k: [1 - e, n] },
    { label: 'X', k: [0.5, 0] },
    gamma,
  ];
}

/** Drops the corners that coincide with the following point, `target`. */
function withoutCornersAt(target: string, points: readonly KPoint[]): KPoint[] {
  const { k } = points.find(({ label }) => label === target)!;
  const isAt = (own: Vec2) => Math.hypot(own[0] - k[0], own[1] - k[1]) < COINCIDENT_K_TOLERANCE;
  return points.filter((point) => point.label === target || !isAt(point.k));
}

/** Reciprocal vectors (rows b₁, b₂) with the factor 2π: aᵢ · bⱼ = 2π δᵢⱼ. */
export function reciprocalVectors(latticeVectors: Mat2): Mat2 {
  const [b1, b2] = transpose2(inverse2(latticeVectors));
  return [
    [2 * Math.PI * b1[0], 2 * Math.PI * b1[1]],
    [2 * Math.PI * b2[0], 2 * Math.PI * b2[1]],
  ];
}

export interface SampledKPath {
  readonly kPoints: readonly Vec2[];
  /** Length along the path, 2π over the unit of length. */
  readonly kDist: readonly number[];
  readonly hspNodes: readonly number[];
  readonly hspLabels: readonly string[];
}

/** About `count` points along the path, distributed by length; every corner is one of the points. */
export function sampleKPath(corners: readonly KPoint[], latticeVectors: Mat2, count: number): SampledKPath {
  const reciprocal = reciprocalVectors(latticeVectors);
  const legs = corners.slice(1).map(({ k }, index) => {
    const from = corners[index].k;
    return {
      from,
      to: k,
      length: Math.hypot(...rowTimesMatrix2([k[0] - from[0], k[1] - from[1]], reciprocal)),
    };
  });
  const total = legs.reduce((sum, { length }) => sum + length, 0);
  const steps = shareSteps(
    legs.map(({ length }) => length / total),
    Math.max(count - 1, legs.length),
  );
  const kPoints: Vec2[] = [corners[0].k];
  const kDist = [0];
  const hspNodes = [0];
  legs.forEach(({ from, to, length }, leg) => {
    const start = hspNodes[leg];
    for (let step = 1; step <= steps[leg]; step++) {
      const share = step / steps[leg];
      kPoints.push(
        step === steps[leg] ? to : [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])],
      );
      kDist.push(start + share * length);
    }
    hspNodes.push(start + length);
  });
  return { kPoints, kDist, hspNodes, hspLabels: corners.map(({ label }) => label) };
}

/** Integers, at least 1 each, with the given sum and approximately the given shares (largest remainders). */
function shareSteps(shares: readonly number[], total: number): number[] {
  const steps = shares.map((share) => Math.max(1, Math.floor(share * total)));
  const byNeed = shares
    .map((share, index) => ({ index, need: share * total - steps[index] }))
    .sort((a, b) => b.need - a.need || a.index - b.index);
  let left = total - steps.reduce((sum, n) => sum + n, 0);
  for (let place = 0; left > 0; place++, left--) steps[byNeed[place % byNeed.length].index]++;
  for (let place = byNeed.length - 1; left < 0; place = (place + byNeed.length - 1) % byNeed.length) {
    const { index } = byNeed[place];
    if (steps[index] > 1) {
      steps[index]--;
      left++;
    }
  }
  return steps;
}
