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

/**
 * Smallest Gaussian width, degrees. It prevents a division by zero if the Caglioti polynomial is not positive.
 */
export const MIN_WIDTH_DEG = 0.005;

/**
 * Full width H and Lorentzian share η of a line, and their derivatives with respect to the Gaussian and the
 * Lorentzian width.
 */
export interface LineWidth {
  h: number;
  eta: number;
  hByGauss: number;
  hByLorentz: number;
  etaByGauss: number;
  etaByLorentz: number;
}

/**
 * NaN instead of 0: for zeros the engine would first lay out the object for whole numbers, and later compile
 * the functions that use it again.
 */
export const newLineWidth = (): LineWidth => ({
  h: Number.NaN,
  eta: Number.NaN,
  hByGauss: Number.NaN,
  hByLorentz: Number.NaN,
  etaByGauss: Number.NaN,
  etaByLorentz: Number.NaN,
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
  const q2 = q * q;
  out.eta = 1.36603 * q - 0.47719 * q2 + 0.11116 * q2 * q;
  const etaByQ = 1.36603 - 2 * 0.47719 * q + 3 * 0.11116 * q2;
  out.etaByGauss = (-etaByQ * q * out.hByGauss) / h;
  out.etaByLorentz = (etaByQ * (1 - q * out.hByLorentz)) / h;
}
