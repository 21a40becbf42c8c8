/** Equilibrium at a composition: phases, chemical potentials, facets, reaction energies. */
import { atomCount, type Composition, displayFormula, parseFormula } from '@unitcell/crystal';
import { type EnvelopeFacet, LowerEnvelope } from '@unitcell/numerics';
import { COMPOSITION_TOLERANCE, type PhaseEntry } from './entries.ts';
import { PhaseEquilibriaError } from './error.ts';
import { amountsIn, type Hull, STABILITY_TOLERANCE, sum } from './hull.ts';

export interface EquationTerm {
  /** Reduced formula. */
  readonly formula: string;
  /** Number of formula units, positive. */
  readonly coefficient: number;
  /** Id of the entry of the term, if there is one. */
  readonly id?: string;
}

export interface Equation {
  readonly reactants: readonly EquationTerm[];
  readonly products: readonly EquationTerm[];
}

/** Decimals of coefficients in text. */
const COEFFICIENT_DECIMALS = 4;

function coefficientText(coefficient: number): string {
  const scale = 10 ** COEFFICIENT_DECIMALS;
  const rounded = Math.round(coefficient * scale) / scale;
  return rounded === 1 ? '' : `${rounded} `;
}

/** The equation as text: `0.5 NaMnO2 + 0.5 YClO → 0.5 YMnO3 + 0.5 NaCl`. */
export function equationText({ reactants, products }: Equation): string {
  const side = (terms: readonly EquationTerm[]) =>
    terms.map(({ formula, coefficient }) => coefficientText(coefficient) + formula).join(' + ');
  return `${side(reactants)} → ${side(products)}`;
}

/** The phases of a decomposition as terms; `scale` is the number of compositions per equation. */
export const productTerms = (shares: readonly PhaseShare[], scale: number): EquationTerm[] =>
  shares.map(({ entry, formula, moles }) => ({ formula, coefficient: moles * scale, id: entry.id }));

/**
 * Adds the element that a reservoir supplies (`excess` < 0: a reactant) or receives (`excess` > 0: a
 * product), so that the equation balances; `atoms` is the size of the equation, which sets the rounding
 * tolerance.
 */
export function withReservoir(equation: Equation, element: string, excess: number, atoms: number): Equation {
  if (Math.abs(excess) <= SHARE_TOLERANCE * atoms) return equation;
  const unit: Composition = { [element]: Math.abs(excess) };
  const { formula, units } = formulaUnit(unit);
  const term = { formula, coefficient: units };
  return excess < 0
    ? { reactants: [...equation.reactants, term], products: equation.products }
    : { reactants: equation.reactants, products: [...equation.products, term] };
}

/** Phases with a smaller share of the atoms are omitted, because such a share is rounding noise. */
export const SHARE_TOLERANCE = 1e-7;

/** Facets are listed only up to this number of components, because the number of facets grows steeply. */
export const MAX_FACET_COMPONENTS = 8;

export interface PhaseShare<Entry extends PhaseEntry = PhaseEntry> {
  readonly entry: Entry;
  /** Reduced formula of the phase as databases display it; the gases are O2, N2, … */
  readonly formula: string;
  /** Share of the atoms (without reservoir atoms) in this phase; the shares add up to 1. */
  readonly atomicFraction: number;
  /** Number of units of `formula` per composition. */
  readonly moles: number;
}

interface FormulaUnit {
  readonly formula: string;
  readonly units: number;
}

/** Cache of formulas: formatting and parsing a formula takes longer than finding its facet. */
const knownUnits = new WeakMap<Composition, FormulaUnit>();

/** Reduced display formula of a composition, and the number of its units in the composition. */
export function formulaUnit(composition: Composition): FormulaUnit {
  const known = knownUnits.get(composition);
  if (known !== undefined) return known;
  const formula = displayFormula(composition);
  const unit = { formula, units: atomCount(composition) / atomCount(parseFormula(formula)) };
  knownUnits.set(composition, unit);
  return unit;
}

/** Phases of the facet at a position (atoms by component), largest share first; absent phases are omitted. */
export function sharesAt<Entry extends PhaseEntry>(
  hull: Hull<Entry>,
  amounts: Float64Array,
): readonly PhaseShare<Entry>[] {
  const { envelope, space } = hull;
  const facet = envelope.locate(amounts);
  const size = sum(amounts);
  const out = new Float64Array(amounts.length);
  const shares: PhaseShare<Entry>[] = [];
  envelope.coordinates(facet, amounts).forEach((atoms, l) => {
    if (atoms <= SHARE_TOLERANCE * size) return;
    const entry = hull.entries[hull.vertexEntries[facet.vertices[l]]];
    const { formula, units } = formulaUnit(entry.composition);
    space.amountsOf(entry.composition, out);
    shares.push({ entry, formula, atomicFraction: atoms / size, moles: (atoms / sum(out)) * units });
  });
  return shares.sort((a, b) => b.atomicFraction - a.atomicFraction);
}

/**
 * The phases in equilibrium at a composition. On ties (more phases on one facet plane than it has corners) one of the
 * equivalent results is returned, always the same one.
 * @throws PhaseEquilibriaError `outside-system`, `invalid-entry`, `unknown-element`
 */
export const decomposition = <Entry extends PhaseEntry>(hull: Hull<Entry>, composition: Composition) =>
  sharesAt(hull, amountsIn(hull, composition));

/**
 * All facets of the hull's envelope; together they cover the diagram once. Their vertices are indices into
 * `hull.vertexEntries`, and their planes are chemical potentials relative to the corners of the diagram.
 * @throws PhaseEquilibriaError `component-count` beyond `MAX_FACET_COMPONENTS` components
 */
export function facetsOf(hull: Hull): readonly EnvelopeFacet[] {
  const k = hull.space.components.length;
  if (k > MAX_FACET_COMPONENTS)
    throw new PhaseEquilibriaError(
      'component-count',
      `facets are listed for up to ${MAX_FACET_COMPONENTS} components; this diagram has ${k}`,
    );
  return hull.envelope.allFacets();
}

/**
 * Energy per atom of the lowest entry of a composition relative to the other STABLE phases, eV/atom. For a
 * stable phase this is the (negative) driving force of its formation from its neighbours on the hull; for an
 * unstable phase it is the energy above hull. Metastable entries are ignored, as in the definition of Ong et
 * al. (2008). Null for a corner of the diagram, which other phases cannot form.
 * @throws PhaseEquilibriaError `outside-system`; `empty` when no entry has the composition
 */
export function equilibriumReactionEnergy(hull: Hull, composition: Composition): number | null {
  const lowest = lowestEntryIndex(hull, composition);
  if (lowest < 0)
    throw new PhaseEquilibriaError('empty', `no entry has the composition ${displayFormula(composition)}`);
  const k = hull.space.components.length;
  const position = hull.fractions.subarray(lowest * k, lowest * k + k);
  if (position.some((fraction) => fraction === 1)) return null;
  const others = hull.vertexEntries.filter((index) => {
    const height = hull.envelope.heightAt(hull.fractions.subarray(index * k, index * k + k));
    return index !== lowest && hull.formationEnergies[index] - height <= STABILITY_TOLERANCE;
  });
  const points = new Float64Array(others.length * k);
  others.forEach((index, vertex) => {
    points.set(hull.fractions.subarray(index * k, index * k + k), vertex * k);
  });
  const heights = Float64Array.from(others, (index) => hull.formationEnergies[index]);
  const corners = hull.references.map(({ entry }) =>
    others.findIndex((index) => hull.entries[index] === entry),
  );
  return hull.formationEnergies[lowest] - new LowerEnvelope(points, heights, corners).heightAt(position);
}

/** Index in `hull.entries` of the lowest entry of a composition (in any multiple); −1 if there is none. */
export function lowestEntryIndex(hull: Hull, composition: Composition): number {
  const amounts = amountsIn(hull, composition);
  const size = sum(amounts);
  const k = amounts.length;
  let lowest = -1;
  for (const index of hull.lowestOfGroup) {
    let isSame = true;
    for (let c = 0; c < k && isSame; c++)
      isSame = Math.abs(hull.fractions[index * k + c] - amounts[c] / size) <= COMPOSITION_TOLERANCE;
    if (isSame && (lowest < 0 || hull.formationEnergies[index] < hull.formationEnergies[lowest]))
      lowest = index;
  }
  return lowest;
}
