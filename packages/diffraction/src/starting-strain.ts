/** Where a refinement starts: the uniform strain at which the lines of a phase fall best on a measured pattern. */
import type { Structure } from '@unitcell/crystal';
import { removeBackground } from './background.ts';
import { powderPattern } from './powder-pattern.ts';
import { twoThetaDegOf } from './radiation.ts';

/** Calculated cells are up to two per cent too large (docs/methods/xrd-matching.md). */
const MAX_STRAIN = 0.025;
/** At 2θ = 60° a line moves by a quarter of a sharp width. */
const STEP = 0.0004;
/** Weaker lines, in per cent of the strongest, say nothing. */
const WEAKEST = 1;
/** Loss of agreement for a strain of 1: of two places that agree alike, the nearer one. */
const RELUCTANCE = 5;

/**
 * Strain that maximises the mean of √I·√y over the lines of the phase, I being their intensity and y the measured
 * pattern above its background. Roots, so that one strong line of another phase does not decide.
 * @param pattern angles in degrees, rising, and intensities
 * @param wavelength Å
 * @returns relative change of the cell, within ±0.025
 * @throws DiffractionError as powderPattern
 */
export function startingStrain(
  structure: Structure,
  pattern: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> },
  wavelength: number,
): number {
  const { x } = pattern;
  const root = Array.from(removeBackground(x, pattern.y), (value) => Math.sqrt(Math.max(0, value)));
  const { peaks } = powderPattern(structure, { wavelength, twoThetaRangeDeg: [1, 170] });
  const lines = peaks.filter(({ intensity }) => intensity >= WEAKEST);
  const agreement = (strain: number): number => {
    let [product, sum] = [0, 0];
    let at = 0;
    for (const { dSpacing, intensity } of lines) {
      const d = dSpacing * (1 + strain);
      if (2 * d <= wavelength) continue;
      const angle = twoThetaDegOf(d, wavelength);
      if (angle < x[0] || angle > x[x.length - 1]) continue;
      while (x[at] < angle) at += 1;
      product += Math.sqrt(intensity) * root[at];
      sum += Math.sqrt(intensity);
    }
    return sum > 0 ? (product / sum) * (1 - RELUCTANCE * Math.abs(strain)) : 0;
  };
  let best = { strain: 0, agreement: agreement(0) };
  for (let step = 1; step * STEP <= MAX_STRAIN; step++)
    for (const strain of [step * STEP, -step * STEP]) {
      const found = agreement(strain);
      if (found > best.agreement) best = { strain, agreement: found };
    }
  return best.strain;
}
