/**
 * The chemical potentials of the elements at which a compound is stable: calculations of defects, surfaces and
 * doping choose growth conditions from them.
 *
 * With Δμᵢ relative to the reference of each element (0: the element itself is present), a compound of nᵢ atoms
 * and formation energy ΔH is stable if Σ nᵢ Δμᵢ = ΔH and Σ nᵢ Δμᵢ ≤ ΔH holds for every other phase (Zhang &
 * Northrup, Phys. Rev. Lett. 67, 2339 (1991), doi:10.1103/PhysRevLett.67.2339). This region is a polytope with
 * one dimension fewer than there are elements. Each facet of the hull that contains the compound gives a
 * corner, and each neighbour on the hull gives a side.
 */
import type { Composition } from '@unitcell/crystal';
import { facetsOf, formulaUnit, lowestEntryIndex } from './decomposition.ts';
import type { PhaseEntry } from './entries.ts';
import { PhaseEquilibriaError } from './error.ts';
import { amountsIn, energyAboveHull, type Hull, STABILITY_TOLERANCE } from './hull.ts';

/**
 * Corners whose chemical potentials differ by less than this (eV/atom) are the same: coplanar phases split one facet
 * into several.
 */
const CORNER_TOLERANCE = 1e-7;

/**
 * Limit on the potentials set by another phase: Σ amounts · Δμ ≤ formationEnergy, with equality if that phase
 * is present.
 */
export interface PotentialLimit {
  /** Atoms of each component in one unit of the reduced formula. */
  readonly amounts: readonly number[];
  /** eV per unit of the reduced formula. */
  readonly formationEnergy: number;
}

export interface LimitingPhase<Entry extends PhaseEntry = PhaseEntry> extends PotentialLimit {
  readonly entry: Entry;
  readonly formula: string;
}

export interface PotentialCorner {
  /** Δμ of each component, eV/atom; never positive. */
  readonly potentials: readonly number[];
  /** Indices into `limits` of the phases that are in equilibrium with the compound at this corner. */
  readonly limits: readonly number[];
}

export interface ChemicalPotentialRegion<Entry extends PhaseEntry = PhaseEntry> {
  /** The components, in the order of amounts and potentials. */
  readonly components: readonly string[];
  readonly compound: LimitingPhase<Entry>;
  /** The neighbours on the hull, which form the sides of the region. */
  readonly limits: readonly LimitingPhase<Entry>[];
  /**
   * If the compound contains all components, the region is the convex hull of these corners; otherwise it extends to −∞
   * for the missing components.
   */
  readonly corners: readonly PotentialCorner[];
}

/**
 * The region of chemical potentials in which a composition is stable; null if its lowest entry is not on the
 * hull.
 * @param hull of elements, up to `MAX_FACET_COMPONENTS` of them
 * @throws PhaseEquilibriaError `outside-system`, also on a hull between compounds; `empty` when no entry has
 * the composition; `component-count`
 */
export function chemicalPotentialRegion<Entry extends PhaseEntry>(
  hull: Hull<Entry>,
  composition: Composition,
): ChemicalPotentialRegion<Entry> | null {
  const index = lowestEntryIndex(hull, composition);
  const own = hull.entries[index];
  if (own === undefined)
    throw new PhaseEquilibriaError(
      'empty',
      `no entry has the composition ${formulaUnit(composition).formula}`,
    );
  if (energyAboveHull(hull, own) !== 0) return null;
  const { components } = hull.space;
  const missing = Object.keys(own.composition).filter((element) => !components.includes(element));
  if (missing.length > 0)
    throw new PhaseEquilibriaError(
      'outside-system',
      `chemical potentials are those of elements: ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} no component of the hull`,
      missing,
    );
  const limits: LimitingPhase<Entry>[] = [];
  const placeOf = new Map<Entry, number>();
  const limitOf = (entry: Entry): number => {
    const known = placeOf.get(entry);
    if (known !== undefined) return known;
    placeOf.set(entry, limits.length);
    return limits.push(limitingPhase(hull, entry)) - 1;
  };
  const corners: { potentials: number[]; limits: number[] }[] = [];
  const k = components.length;
  const position = hull.fractions.subarray(index * k, index * k + k);
  for (const facet of facetsOf(hull)) {
    // A facet also counts if the compound is on its plane without being a vertex (coplanar phases).
    const gap = hull.formationEnergies[index] - hull.envelope.planeAt(facet, position);
    if (Math.abs(gap) > STABILITY_TOLERANCE) continue;
    // If an element is present, rounding may put its potential slightly above or below zero.
    const potentials = Array.from(facet.plane, snapped);
    const others = facet.vertices
      .map((vertex) => hull.entries[hull.vertexEntries[vertex]])
      .filter((entry) => entry !== own)
      .map(limitOf);
    const same = corners.find((corner) =>
      corner.potentials.every((value, c) => isClose(value, potentials[c])),
    );
    if (same) same.limits = [...new Set([...same.limits, ...others])];
    else corners.push({ potentials, limits: others });
  }
  return { components, compound: limitingPhase(hull, own), limits, corners };
}

const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= CORNER_TOLERANCE;

const snapped = (potential: number): number => (Math.abs(potential) <= CORNER_TOLERANCE ? 0 : potential);

function limitingPhase<Entry extends PhaseEntry>(hull: Hull<Entry>, entry: Entry): LimitingPhase<Entry> {
  const { formula, units } = formulaUnit(entry.composition);
  const amounts = Array.from(amountsIn(hull, entry.composition), (amount) => amount / units);
  const reference = amounts.reduce(
    (total, amount, c) => total + amount * hull.references[c].energyPerAtom,
    0,
  );
  return { entry, formula, amounts, formationEnergy: entry.energy / units - reference };
}
