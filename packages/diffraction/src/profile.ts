/**
 * A continuous diffraction profile from a list of peaks: pseudo-Voigt shapes with Scherrer widths.
 *
 * pseudo-Voigt: G. K. Wertheim et al., Rev. Sci. Instrum. 45, 1369 (1974), doi:10.1063/1.1686503. Size broadening is
 * Lorentzian and the instrument Gaussian; they are mixed by their shares of the width.
 */
import { firstAtOrAbove } from '@unitcell/numerics';
import { DiffractionError } from './diffraction-error.ts';
import { INSTRUMENT_WIDTH_DEG, scherrerWidthDeg } from './peaks.ts';
import { checkedWavelength } from './radiation.ts';

/** Accepted crystallite sizes (nm): below 0.5 there is no crystal, above 100 µm there is no broadening. */
export const PARTICLE_SIZE_LIMITS_NM = { min: 0.5, max: 100_000 } as const;

/** A shape is drawn up to this many widths on either side, where a Lorentzian has fallen to 1/1600. */
export const PROFILE_REACH_WIDTHS = 20;

/** Lorentzian fraction of a shape whose width is entirely due to size, chosen for common laboratory peaks. */
const LORENTZ_SHARE_OF_SIZE = 0.8;

export interface ProfileOptions {
  /** nm */
  readonly crystalliteSizeNm: number;
  /** Å */
  readonly wavelength: number;
  /** Angles of the profile, degrees, rising. */
  readonly grid: ArrayLike<number>;
  /** FWHM of the instrument, degrees of 2θ; default INSTRUMENT_WIDTH_DEG. */
  readonly instrumentWidthDeg?: number;
}

/** A regular grid of angles in degrees, including both ends. */
export const angleGrid = (from: number, to: number, step: number): Float64Array =>
  Float64Array.from({ length: Math.max(0, Math.round((to - from) / step)) + 1 }, (_, i) => from + i * step);

/**
 * Intensities on the grid, scaled so that the highest point is 100 (all zero if no peak reaches the grid). The area of
 * every peak is its listed intensity, so broadening lowers its maximum.
 * @throws DiffractionError `bad-size` for a crystallite size outside PARTICLE_SIZE_LIMITS_NM;
 * `bad-wavelength`.
 */
export function profile(
  peaks: readonly { readonly twoThetaDeg: number; readonly intensity: number }[],
  options: ProfileOptions,
): Float64Array {
  const { crystalliteSizeNm, grid, instrumentWidthDeg = INSTRUMENT_WIDTH_DEG } = options;
  const wavelength = checkedWavelength(options.wavelength);
  const { min, max } = PARTICLE_SIZE_LIMITS_NM;
  if (!(crystalliteSizeNm >= min && crystalliteSizeNm <= max))
    throw new DiffractionError(
      'bad-size',
      `particle size is ${crystalliteSizeNm}: expected nanometres between ${min} and ${max}`,
    );
  const result = new Float64Array(grid.length);
  for (const { twoThetaDeg, intensity } of peaks) {
    const size = scherrerWidthDeg(crystalliteSizeNm, twoThetaDeg, wavelength);
    const width = Math.hypot(size, instrumentWidthDeg);
    const mixing = (LORENTZ_SHARE_OF_SIZE * size) / width;
    const reach = PROFILE_REACH_WIDTHS * width;
    const lorentz = (mixing * 2) / (Math.PI * width);
    const gauss = ((1 - mixing) * 2 * Math.sqrt(Math.LN2 / Math.PI)) / width;
    const start = firstAtOrAbove(grid, twoThetaDeg - reach);
    for (let i = start; i < grid.length && grid[i] <= twoThetaDeg + reach; i++) {
      const u = (2 * (grid[i] - twoThetaDeg)) / width;
      result[i] += intensity * (lorentz / (1 + u * u) + gauss * Math.exp(-Math.LN2 * u * u));
    }
  }
  const highest = result.reduce((best, value) => Math.max(best, value), 0);
  return highest > 0 ? result.map((value) => (100 * value) / highest) : result;
}
