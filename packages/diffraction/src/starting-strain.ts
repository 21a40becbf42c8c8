/** The start of a refinement: the uniform strain at which the lines of a phase agree best with a measured pattern. */
import type { Structure } from '@unitcell/crystal';
import { removeBackground } from './background.ts';
import { powderPattern } from './powder-pattern.ts';
import { type Probe, twoThetaDegOf } from './radiation.ts';

/** Largest strain; calculated cells are up to two per cent too large (docs/methods/xrd-matching.md). */
const MAX_STRAIN = 0.025;
/** Step of the strain; at 2θ = 60° it moves a line by a quarter of a sharp width. */
const STEP = 0.0004;
/** Lines weaker than this, in per cent of the strongest, are ignored because they carry no information. */
const WEAKEST = 1;
/** Loss of agreement for a strain of 1; if two strains agree equally well, the smaller one is chosen. */
const RELUCTANCE = 5;

/**
 * Strain that maximises the mean of √I·√y over the lines of the phase, where I is their intensity and y the measured
 * pattern above its background. The roots prevent one strong line of another phase from deciding the result.
 * @param pattern angles in degrees, rising, and intensities
 * @param wavelength Å
 * @param probe default X-rays
 * @returns relative change of the cell, within ±0.025
 * @throws DiffractionError as powderPattern
 */
export function startingStrain(
  structure: Structure,
  pattern: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> },
  wavelength: number,
  probe?: Probe,
): number {
  const { x } = pattern;
  const root = Array.from(removeBackground(x, pattern.y), (value) => Math.sqrt(Math.max(0, value)));
  const { peaks } = powderPattern(structure, { wavelength, probe, twoThetaRangeDeg: [1, 170] });
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
