/**
 * Weight fractions from scales, W = S Z M V / Σ S Z M V: R. J. Hill and C. J. Howard, J. Appl. Cryst. 20, 467
 * (1987), doi:10.1107/S0021889887086199. S Z M V of each phase may be divided by its microabsorption factor.
 */
import type { Structure } from '@unitcell/crystal';
import { elementBySymbol, GRAM_PER_CUBIC_CM_PER_U_PER_CUBIC_ANGSTROM } from '@unitcell/elements';
import { brindleyFactor } from '../microabsorption.ts';
import type { Estimate } from './types.ts';

/** Grain diameter (µm) of a powder ground by hand, assumed when deciding whether to warn of microabsorption. */
const USUAL_DIAMETER_UM = 10;

/**
 * (μ − μ̄) × diameter above which microabsorption changes weight fractions by several per cent of their value.
 */
const FINE_POWDER = 0.1;

export interface Absorbing {
  /** μ in 1/cm; undefined if unknown. */
  readonly absorption: number | undefined;
  readonly diameterUm: number | undefined;
  readonly density: number;
  /** Scale × ZMV. */
  readonly mass: number;
  /** Whether the pattern shows the phase. */
  readonly isFound: boolean;
}

/**
 * `factors`: microabsorption factors τ of all phases; absent if a coefficient or a diameter is unknown. `worst`: given if
 * only diameters are unknown and grains of a few µm would change the fractions; the found phase whose μ differs most from
 * the mean, with its contrast μ − μ̄ (1/cm) and the weight fraction that it would have with grains of 10 µm. μ̄ is
 * averaged over the volumes from the corrected fractions, so it is found by iteration.
 */
export function microabsorption(phases: readonly Absorbing[]): {
  readonly factors?: readonly number[];
  readonly worst?: { readonly phase: number; readonly contrast: number; readonly fraction: number };
} {
  const absorptions = phases.flatMap(({ absorption }) => absorption ?? []);
  if (absorptions.length < phases.length || phases.length < 2) return {};
  const diameters = phases.flatMap(({ diameterUm }) => diameterUm ?? []);
  const isKnown = diameters.length === phases.length;
  let factors = phases.map(() => 1);
  let contrasts = factors;
  for (let step = 0; step < 20; step++) {
    const volumes = phases.map(({ mass, density }, p) => mass / density / factors[p]);
    const total = volumes.reduce((sum, volume) => sum + volume, 0);
    if (!(total > 0)) return {};
    const mean = volumes.reduce((sum, volume, p) => sum + volume * absorptions[p], 0) / total;
    contrasts = absorptions.map((absorption) => absorption - mean);
    if (isKnown) factors = contrasts.map((contrast, p) => brindleyFactor(contrast, diameters[p]));
  }
  if (isKnown) return { factors };
  const differences = contrasts.map((value, p) => (phases[p].isFound ? Math.abs(value) : 0));
  const phase = differences.indexOf(Math.max(...differences));
  if (differences[phase] * USUAL_DIAMETER_UM * 1e-4 <= FINE_POWDER) return {};
  const { factors: usual = factors } = microabsorption(
    phases.map((one) => ({ ...one, diameterUm: USUAL_DIAMETER_UM })),
  );
  const corrected = phases.map(({ mass }, p) => mass / usual[p]);
  const fraction = corrected[phase] / corrected.reduce((sum, mass) => sum + mass, 0);
  return { worst: { phase, contrast: contrasts[phase], fraction } };
}

/** u; M. Wang et al., Chin. Phys. C 45, 030003 (2021), doi:10.1088/1674-1137/abddaf. */
const DEUTERIUM_MASS = 2.014102;

/** Mass of the atoms in a cell, u. */
export const cellMass = (structure: Structure): number =>
  structure.sites.reduce(
    (sum, { species }) =>
      species.reduce(
        (mass, { element, occupancy }) =>
          mass + occupancy * (element === 'D' ? DEUTERIUM_MASS : elementBySymbol(element).atomicMass),
        sum,
      ),
    0,
  );

/** g/cm³ */
export const densityOf = (mass: number, volume: number): number =>
  (mass / volume) * GRAM_PER_CUBIC_CM_PER_U_PER_CUBIC_ANGSTROM;

export interface FractionResult {
  readonly microabsorption?: ReturnType<typeof microabsorption>;
  readonly fractions: readonly Estimate[];
  /**
   * Weight fractions in the whole mixture, and the share that belongs to none of the phases; only with an
   * internal standard.
   */
  readonly absolute?: readonly Estimate[];
  readonly amorphous?: Estimate;
}

/**
 * @param scales S of every phase
 * @param covariance of the scales; undefined if the pattern does not determine them: then no fraction has an e.s.d.
 * @param factors Z M V of every phase, divided by its microabsorption factor
 * @param standard the phase whose weight fraction in the mixture is known
 */
export function weightFractions(
  scales: readonly number[],
  covariance: readonly (readonly number[])[] | undefined,
  factors: readonly number[],
  standard?: { readonly phase: number; readonly fraction: number },
): FractionResult {
  const masses = scales.map((scale, p) => scale * factors[p]);
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  const estimate = (value: number, gradient: readonly number[]): Estimate => {
    if (!covariance) return { value };
    let variance = 0;
    gradient.forEach((a, i) => {
      gradient.forEach((b, j) => {
        variance += a * b * covariance[i][j];
      });
    });
    return { value, esd: Math.sqrt(Math.max(0, variance)) };
  };
  const fractions = masses.map((mass, p) =>
    total > 0
      ? estimate(
          mass / total,
          factors.map((factor, q) => (factor * ((p === q ? 1 : 0) - mass / total)) / total),
        )
      : { value: 0 },
  );
  if (!standard || !(masses[standard.phase] > 0)) return { fractions };
  // W = share of the standard × mass / mass of the standard
  const { phase: s, fraction } = standard;
  const absolute = masses.map((mass, p) =>
    p === s
      ? { value: fraction }
      : estimate(
          (fraction * mass) / masses[s],
          factors.map((factor, q) => {
            if (q === p) return (fraction * factor) / masses[s];
            return q === s ? (-fraction * mass * factor) / (masses[s] * masses[s]) : 0;
          }),
        ),
  );
  const accounted = absolute.reduce((sum, { value }) => sum + value, 0);
  const amorphous = estimate(
    1 - accounted,
    factors.map((factor, q) =>
      q === s
        ? (fraction * (total - masses[s]) * factor) / (masses[s] * masses[s])
        : (-fraction * factor) / masses[s],
    ),
  );
  return { fractions, absolute, amorphous };
}
