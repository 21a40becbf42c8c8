/**
 * Asymmetry by axial divergence: L. W. Finger, D. E. Cox and A. P. Jephcoat, J. Appl. Cryst. 27, 892 (1994),
 * doi:10.1107/S0021889894004218.
 *
 * The cone from a point at the height h (in units of the radius) is recorded at 2φ, with cos 2φ = cos 2θ √(1 +
 * h²). The intensity per unit of h is w(h) / ((1 + h²) sin 2φ), where w is the trapezium of sample and slit. It
 * has no singularity, so Gauss–Legendre integration over h converges quickly.
 */

/**
 * A line is replaced by copies: their offsets (degrees), weights, and the derivatives of both with respect to
 * the sum of the half heights.
 */
export interface AxialNodes {
  count: number;
  readonly offset: Float64Array;
  readonly weight: Float64Array;
  readonly offsetSlope: Float64Array;
  readonly weightSlope: Float64Array;
  /** Mean offset and its derivative, sufficient for the far tails of a line. */
  mean: number;
  meanSlope: number;
}

export interface AxialShape {
  /** The smaller half height (of sample or slit) as a share of the sum of both; ½ if they are equal. */
  readonly smallerShare: number;
}

const MAX_NODES = 16;

/**
 * Up to this spread of the copies, in widths of the line, two copies are enough: they have the right mean, and their
 * wrong variance changes the line by less than 5e-5 of its height.
 */
const NARROW_SPREAD = 0.02;

const DEGREES = 180 / Math.PI;

/** The arrays are reused, because every line of a pattern needs copies. */
export const newAxialNodes = (): AxialNodes => ({
  count: 0,
  offset: new Float64Array(MAX_NODES),
  weight: new Float64Array(MAX_NODES),
  offsetSlope: new Float64Array(MAX_NODES),
  weightSlope: new Float64Array(MAX_NODES),
  mean: Number.NaN,
  meanSlope: Number.NaN,
});

const NO_DIVERGENCE = newAxialNodes();
NO_DIVERGENCE.count = 1;
NO_DIVERGENCE.weight[0] = 1;
NO_DIVERGENCE.mean = 0;
NO_DIVERGENCE.meanSlope = 0;

/** Nodes and weights of Gauss–Legendre integration over 0 … 1, by Newton's method. */
function gaussLegendre(n: number): readonly (readonly [number, number])[] {
  return Array.from({ length: n }, (_, i) => {
    let t = Math.cos((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 1;
    for (let step = 0; step < 8; step++) {
      let [previous, current] = [1, t];
      for (let k = 2; k <= n; k++)
        [previous, current] = [current, ((2 * k - 1) * t * current - (k - 1) * previous) / k];
      slope = (n * (t * current - previous)) / (t * t - 1);
      t -= current / slope;
    }
    return [(1 + t) / 2, 1 / ((1 - t * t) * slope * slope)] as const;
  });
}

const RULES = Array.from({ length: MAX_NODES + 1 }, (_, n) => (n < 2 ? [] : gaussLegendre(n)));

/**
 * @param sum half height of the sample plus half height of the slit, over the radius
 * @param twoTheta position of the line, radians
 * @param widthDeg width of the line, which determines how many copies are needed
 * @param nodes filled with the copies and returned, unless there is no divergence
 */
export function axialNodes(
  sum: number,
  { smallerShare }: AxialShape,
  twoTheta: number,
  widthDeg: number,
  nodes = newAxialNodes(),
): AxialNodes {
  if (sum <= 0) return NO_DIVERGENCE;
  const cosine = Math.cos(twoTheta);
  // At the smallest angles the cone from the highest point does not reach the detector plane.
  const reach = Math.min(sum, 0.98 * Math.abs(Math.tan(twoTheta)));
  const end = Math.acos(cosine * Math.sqrt(1 + reach * reach));
  const spread = Math.abs(end - twoTheta) * DEGREES;
  const count =
    spread < NARROW_SPREAD * widthDeg ? 2 : Math.min(MAX_NODES, 2 + Math.ceil((2 * spread) / widthDeg));
  nodes.count = count;
  // If the height is cut off, the nodes do not depend on the sum.
  const reachSlope = reach === sum ? 1 : 0;
  let total = 0;
  let totalSlope = 0;
  RULES[count].forEach(([t, rule], i) => {
    const h = reach * t;
    const root = Math.sqrt(1 + h * h);
    const cosPhi = cosine * root;
    const phi = Math.acos(cosPhi);
    const sinPhi = Math.sqrt(1 - cosPhi * cosPhi);
    const phiByH = (-cosine * h) / (root * sinPhi);
    const trapezium = t < 1 - 2 * smallerShare ? 2 * smallerShare : 1 - t;
    const weight = (rule * trapezium) / (root * root * sinPhi);
    const logSlope = (-2 * h) / (root * root) - (cosPhi / sinPhi) * phiByH;
    nodes.offset[i] = (phi - twoTheta) * DEGREES;
    nodes.offsetSlope[i] = phiByH * t * reachSlope * DEGREES;
    nodes.weight[i] = weight;
    nodes.weightSlope[i] = weight * logSlope * t * reachSlope;
    total += nodes.weight[i];
    totalSlope += nodes.weightSlope[i];
  });
  for (let i = 0; i < count; i++) {
    nodes.weight[i] /= total;
    nodes.weightSlope[i] = (nodes.weightSlope[i] - nodes.weight[i] * totalSlope) / total;
  }
  let mean = 0;
  let meanSlope = 0;
  for (let i = 0; i < count; i++) {
    mean += nodes.weight[i] * nodes.offset[i];
    meanSlope += nodes.weightSlope[i] * nodes.offset[i] + nodes.weight[i] * nodes.offsetSlope[i];
  }
  nodes.mean = mean;
  nodes.meanSlope = meanSlope;
  return nodes;
}
