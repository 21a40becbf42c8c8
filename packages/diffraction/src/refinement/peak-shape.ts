/**
 * The shape of a line: a pseudo-Voigt of unit area with the widths of P. Thompson, D. E. Cox and J. B.
 * Hastings, J. Appl. Cryst. 20, 79 (1987), doi:10.1107/S0021889887087090, and its derivatives.
 *
 * The Lorentzian is cut off some full widths from the centre. Its value at the cut is subtracted and the rest
 * is rescaled, so that the shape is continuous and its area stays 1. With 20 widths it differs from the
 * infinite Lorentzian by less than 2 % of its area, all of it in the far tails.
 */

/** Where the tails of a line end. */
export interface Tails {
  /** Full widths at half maximum to either side. */
  readonly reach: number;
  /** Value of the Lorentzian at the cut, which is subtracted. */
  readonly level: number;
  /** Factor that restores the area. */
  readonly scale: number;
}

function tailsTo(reach: number): Tails {
  const level = 1 / (1 + 4 * reach * reach);
  return { reach, level, scale: 1 / (Math.atan(2 * reach) - 2 * reach * level) };
}

export const LONG_TAILS = tailsTo(20);

/**
 * Weaker lines are cut off nearer to their centre: most lines of a large cell are weak, and their tails would
 * take most of the time.
 */
const SHORTER_TAILS = [
  { below: 0.003, tails: tailsTo(5) },
  { below: 0.03, tails: tailsTo(10) },
] as const;

/** @param share height relative to the strongest line of the phase */
export const tailsOf = (share: number): Tails =>
  SHORTER_TAILS.find(({ below }) => share < below)?.tails ?? LONG_TAILS;

/** Full widths beyond which the Gaussian is zero (below 1e-12 of its maximum). */
const GAUSS_REACH = 3.2;

const GAUSS = 2 * Math.sqrt(Math.LN2 / Math.PI);
const GAUSS_EXPONENT = 4 * Math.LN2;

/**
 * Smallest Gaussian width, degrees. It prevents a division by zero if the Caglioti polynomial is not positive.
 */
export const MIN_WIDTH_DEG = 0.005;

/**
 * Full width H and Lorentzian share η of a line, and their derivatives by the Gaussian and the Lorentzian
 * width.
 */
export interface LineWidth {
  h: number;
  eta: number;
  hByGauss: number;
  hByLorentz: number;
  etaByGauss: number;
  etaByLorentz: number;
}

export const newLineWidth = (): LineWidth => ({
  h: 0,
  eta: 0,
  hByGauss: 0,
  hByLorentz: 0,
  etaByGauss: 0,
  etaByLorentz: 0,
});

/** Fills `out` for a Gaussian and a Lorentzian full width (degrees). */
export function combineWidths(gauss: number, lorentz: number, out: LineWidth): void {
  const [g, l] = [gauss, lorentz];
  // Uses products, because calling `Math.pow` once takes ten times as long as all of them.
  const [g2, l2] = [g * g, l * l];
  const [g3, g4, l3, l4] = [g2 * g, g2 * g2, l2 * l, l2 * l2];
  const fifth = g4 * g + 2.69269 * g4 * l + 2.42843 * g3 * l2 + 4.47163 * g2 * l3 + 0.07842 * g * l4 + l4 * l;
  const h = fifth ** 0.2;
  const slope = 0.2 * (h / fifth);
  const byGauss = 5 * g4 + 4 * 2.69269 * g3 * l + 3 * 2.42843 * g2 * l2 + 2 * 4.47163 * g * l3 + 0.07842 * l4;
  const byLorentz =
    2.69269 * g4 + 2 * 2.42843 * g3 * l + 3 * 4.47163 * g2 * l2 + 4 * 0.07842 * g * l3 + 5 * l4;
  const q = l / h;
  out.h = h;
  out.hByGauss = slope * byGauss;
  out.hByLorentz = slope * byLorentz;
  out.eta = 1.36603 * q - 0.47719 * q ** 2 + 0.11116 * q ** 3;
  const etaByQ = 1.36603 - 2 * 0.47719 * q + 3 * 0.11116 * q ** 2;
  out.etaByGauss = (-etaByQ * q * out.hByGauss) / h;
  out.etaByLorentz = (etaByQ * (1 - q * out.hByLorentz)) / h;
}

/**
 * Writes the shape and its derivatives by position, H and η to buffers, for the points from index `from` on.
 */
export interface ShapeBuffers {
  readonly value: Float64Array;
  readonly byPosition: Float64Array;
  readonly byH: Float64Array;
  readonly byEta: Float64Array;
}

export const newShapeBuffers = (
  points: number,
  zeros = (length: number): Float64Array => new Float64Array(length),
): ShapeBuffers => ({
  value: zeros(points),
  byPosition: zeros(points),
  byH: zeros(points),
  byEta: zeros(points),
});

/** exp(−t) at steps of 1 / TABLE_STEPS. */
const TABLE_STEPS = 64;
const TABLE = Float64Array.from(
  { length: Math.ceil(TABLE_STEPS * GAUSS_EXPONENT * GAUSS_REACH * GAUSS_REACH) + 1 },
  (_, k) => Math.exp(-k / TABLE_STEPS),
);

/** exp(−t) within the reach of the Gaussian, to 1e-11 of its value: three times as fast as `Math.exp`. */
function decay(t: number): number {
  const k = Math.trunc(t * TABLE_STEPS);
  const rest = k / TABLE_STEPS - t;
  return TABLE[k] * (1 + rest * (1 + rest * (1 / 2 + rest * (1 / 6 + rest / 24))));
}

/** Adds `weight` times the shape at the points from … to − 1 to the buffers, which begin at point `origin`. */
export function addShape(
  x: Float64Array,
  from: number,
  to: number,
  origin: number,
  position: number,
  { h, eta }: LineWidth,
  { reach, level, scale: perLorentz }: Tails,
  weight: number,
  { value, byPosition, byH, byEta }: ShapeBuffers,
): void {
  const perH = 1 / h;
  const scale = weight * perH;
  const scale2 = scale * perH;
  const gaussShare = (1 - eta) * GAUSS;
  const slopeOfBell = -8 * eta * perLorentz;
  const slopeOfGauss = -2 * GAUSS_EXPONENT * gaussShare;
  let i = from;
  while (i < to && (x[i] - position) * perH <= -reach) i++;
  /** Adds the Lorentzian alone, up to `limit` widths from the line: the Gaussian is zero in the tails. */
  const addTail = (limit: number): void => {
    for (; i < to; i++) {
      const u = (x[i] - position) * perH;
      if (u >= limit) break;
      const bell = 1 / (1 + 4 * u * u);
      const lorentz = perLorentz * (bell - level);
      const shape = eta * lorentz;
      const slope = slopeOfBell * u * bell * bell;
      const at = i - origin;
      value[at] += scale * shape;
      byPosition[at] -= scale2 * slope;
      byH[at] -= scale2 * (shape + u * slope);
      byEta[at] += scale * lorentz;
    }
  };
  addTail(-GAUSS_REACH);
  for (; i < to; i++) {
    const u = (x[i] - position) * perH;
    if (u >= GAUSS_REACH) break;
    const square = u * u;
    const bell = 1 / (1 + 4 * square);
    const lorentz = perLorentz * (bell - level);
    const gauss = decay(GAUSS_EXPONENT * square);
    const shape = eta * lorentz + gaussShare * gauss;
    const slope = u * (slopeOfBell * bell * bell + slopeOfGauss * gauss);
    const at = i - origin;
    value[at] += scale * shape;
    byPosition[at] -= scale2 * slope;
    byH[at] -= scale2 * (shape + u * slope);
    byEta[at] += scale * (lorentz - GAUSS * gauss);
  }
  addTail(reach);
}

/** Like `addShape`, but adds only the shape, without derivatives. */
export function addShapeValue(
  x: Float64Array,
  from: number,
  to: number,
  origin: number,
  position: number,
  { h, eta }: LineWidth,
  { reach, level, scale }: Tails,
  weight: number,
  value: Float64Array,
): void {
  const perH = 1 / h;
  const lorentz = weight * perH * eta * scale;
  const gauss = weight * perH * (1 - eta) * GAUSS;
  let i = from;
  while (i < to && (x[i] - position) * perH <= -reach) i++;
  for (; i < to; i++) {
    const u = (x[i] - position) * perH;
    if (u > -GAUSS_REACH) break;
    value[i - origin] += lorentz * (1 / (1 + 4 * u * u) - level);
  }
  for (; i < to; i++) {
    const u = (x[i] - position) * perH;
    if (u >= GAUSS_REACH) break;
    const square = u * u;
    value[i - origin] += lorentz * (1 / (1 + 4 * square) - level) + gauss * decay(GAUSS_EXPONENT * square);
  }
  for (; i < to; i++) {
    const u = (x[i] - position) * perH;
    if (u >= reach) break;
    value[i - origin] += lorentz * (1 / (1 + 4 * u * u) - level);
  }
}
