/**
 * Reactions at the interface of two materials: the mixing line between their compositions is followed over
 * the hull (Richards, Miara, Wang, Kim & Ceder, Chem. Mater. 28, 266 (2016),
 * doi:10.1021/acs.chemmater.5b04082).
 *
 * With both reactants normalised to one atom, ΔE(x) = E_hull(x c₁ + (1 − x) c₂) − x e₁ − (1 − x) e₂ is convex
 * and piecewise linear in the atomic fraction x of the first. Its breakpoints, "kinks", are the candidate
 * reactions. On a hull open to an element the same holds for grand potentials per non-reservoir atom.
 */
import { atomCount, atomicFractions, type Composition } from '@unitcell/crystal';
import { KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { type EnvelopeProfile, envelopeProfile } from '@unitcell/numerics';
import {
  type Equation,
  formulaUnit,
  lowestEntryIndex,
  type PhaseShare,
  productTerms,
  sharesAt,
  withReservoir,
} from './decomposition.ts';
import { assertComposition, COMPOSITION_TOLERANCE, type PhaseEntry } from './entries.ts';
import { PhaseEquilibriaError } from './error.ts';
import { amountsIn, grandEnergy, type Hull, referenceEnergy, STABILITY_TOLERANCE, sum } from './hull.ts';

export interface Reactant<Entry extends PhaseEntry = PhaseEntry> {
  /** Reduced formula; the equations and the molar fraction count its formula units. */
  readonly formula: string;
  readonly composition: Composition;
  /** The entry whose energy is used; null if the hull energy is used. */
  readonly entry: Entry | PhaseEntry | null;
  /** eV per non-reservoir atom. */
  readonly energyPerAtom: number;
  /** Height of the reactant's energy, as used here, above the hull, eV/atom. */
  readonly energyAboveHull: number;
}

export interface InterfaceKink<Entry extends PhaseEntry = PhaseEntry> {
  /** Share of the first reactant in the atoms of both reactants. */
  readonly atomicFraction: number;
  /**
   * The share of the first reactant without reservoir atoms. ΔE is piecewise linear in it. Equal to
   * `atomicFraction` in a closed system.
   */
  readonly mixingFraction: number;
  /** Share of the first reactant in the reduced formula units of both reactants. */
  readonly molarFraction: number;
  /** ΔE, eV per non-reservoir atom; negative if the mixture releases energy. */
  readonly reactionEnergyPerAtom: number;
  /** ΔE of `equation`, kJ/mol. */
  readonly reactionEnergyKJPerMol: number;
  /** The part of ΔE due to the decomposition of the reactants alone, eV/atom; 0 for stable reactants. */
  readonly decompositionEnergyPerAtom: number;
  /** The part of ΔE that needs both reactants, eV/atom. */
  readonly mutualEnergyPerAtom: number;
  readonly products: readonly PhaseShare<Entry>[];
  /** Balanced equation; the coefficients of the reactants add up to 1 (without amounts exchanged with a reservoir). */
  readonly equation: Equation;
}

export interface InterfaceReaction<Entry extends PhaseEntry = PhaseEntry> {
  readonly reactants: readonly [Reactant<Entry>, Reactant<Entry>];
  /** Kinks by rising fraction of the first reactant, from the second reactant alone (0) to the first alone (1). */
  readonly kinks: readonly InterfaceKink<Entry>[];
  /**
   * Index of the kink with the lowest ΔE; the first or last index if the reactants do not react with each
   * other.
   */
  readonly minimumIndex: number;
}

export interface InterfaceReactionOptions {
  /**
   * Whether reactants have the hull energy, as if already decomposed. Default: the energy of their lowest
   * entry.
   */
  readonly useHullEnergy?: boolean;
}

/** A reactant with the data that the calculation needs. */
interface Side<Entry extends PhaseEntry> extends Reactant<Entry> {
  /** Amounts by component, normalised to one atom. */
  readonly position: Float64Array;
  /** Non-reservoir atoms in one reduced formula unit. */
  readonly formulaAtoms: number;
  /** Atoms of each element in one reduced formula unit. */
  readonly unit: Composition;
}

/**
 * Reaction energies along the mixing line of two reactants.
 *
 * @param hull of the whole system: `buildHull`, or `buildGrandPotentialHull` for an interface open to
 * elements
 * @param first composition (then its lowest entry counts, or the hull energy if there is none) or an entry with its own
 * energy
 * @param second likewise; equal compositions give only the two ends
 * @throws PhaseEquilibriaError `outside-system`, `invalid-entry`, `unknown-element`; `reactant` when a
 * reactant consists only of open elements
 * @example interfaceReaction(hull, { Li: 1 }, { S: 1 }).kinks.map((kink) => equationText(kink.equation))
 */
export function interfaceReaction<Entry extends PhaseEntry>(
  hull: Hull<Entry>,
  first: Composition | PhaseEntry,
  second: Composition | PhaseEntry,
  { useHullEnergy = false }: InterfaceReactionOptions = {},
): InterfaceReaction<Entry> {
  const one = sideOf(hull, first, useHullEnergy);
  const two = sideOf(hull, second, useHullEnergy);
  const { breakpoints } = mixingLine(hull, one.position, two.position);
  const kinks = breakpoints.map((x) => kinkAt(hull, one, two, x));
  let minimumIndex = 0;
  kinks.forEach((kink, index) => {
    const gain = kinks[minimumIndex].reactionEnergyPerAtom - kink.reactionEnergyPerAtom;
    if (gain > STABILITY_TOLERANCE) minimumIndex = index;
  });
  return { reactants: [reactantOf(one), reactantOf(two)], kinks, minimumIndex };
}

/** The envelope along the mixing line, from the second reactant (0) to the first (1). */
function mixingLine(hull: Hull, first: Float64Array, second: Float64Array): EnvelopeProfile {
  const direction = first.map((value, c) => {
    const step = value - second[c];
    return Math.abs(step) <= COMPOSITION_TOLERANCE ? 0 : step;
  });
  return envelopeProfile(hull.envelope, second, direction, 1);
}

/**
 * The lowest mutual reaction energy of two compositions, eV per non-reservoir atom. It equals the smallest
 * `reactionEnergyPerAtom` of `interfaceReaction` with `useHullEnergy`, but is much faster, because no products
 * are computed. Never positive.
 * @throws PhaseEquilibriaError as `interfaceReaction`
 */
export function mutualEnergy(hull: Hull, first: Composition, second: Composition): number {
  const position = (composition: Composition): Float64Array => {
    const amounts = closedAmounts(hull, composition, 'a reactant');
    const size = sum(amounts);
    return amounts.map((amount) => amount / size);
  };
  const { breakpoints, heights } = mixingLine(hull, position(first), position(second));
  const [alone, last] = [heights[0], heights[heights.length - 1]];
  const gains = breakpoints.map((x, index) => heights[index] - x * last - (1 - x) * alone);
  return rounded(Math.min(...gains));
}

/** Atoms of a reactant by component of the hull; refuses reactants of reservoir elements only. */
function closedAmounts(hull: Hull, composition: Composition, owner: string): Float64Array {
  assertComposition(composition, owner);
  if (
    Object.keys(composition).every((element) => composition[element] === 0 || element in hull.space.reservoir)
  )
    throw new PhaseEquilibriaError(
      'reactant',
      `${owner} is ${Object.keys(composition).join(', ')}, which is open to the reservoir: choose another reactant or close the system`,
      Object.keys(composition),
    );
  return amountsIn(hull, composition, owner);
}

const isEntry = (reactant: Composition | PhaseEntry): reactant is PhaseEntry =>
  typeof reactant.composition === 'object';

const reactantOf = <Entry extends PhaseEntry>(side: Side<Entry>): Reactant<Entry> => ({
  formula: side.formula,
  composition: side.composition,
  entry: side.entry,
  energyPerAtom: side.energyPerAtom,
  energyAboveHull: side.energyAboveHull,
});

function sideOf<Entry extends PhaseEntry>(
  hull: Hull<Entry>,
  reactant: Composition | PhaseEntry,
  useHullEnergy: boolean,
): Side<Entry> {
  const composition = isEntry(reactant) ? reactant.composition : reactant;
  const owner = isEntry(reactant) ? `the reactant ${reactant.id}` : 'a reactant';
  const amounts = closedAmounts(hull, composition, owner);
  const size = sum(amounts);
  const { formula, units } = formulaUnit(composition);
  const hullEnergy = (hull.envelope.heightAt(amounts) + referenceEnergy(hull, amounts)) / size;
  const entry = useHullEnergy ? null : isEntry(reactant) ? reactant : lowestEntryOf(hull, composition);
  if (entry !== null && !Number.isFinite(entry.energy))
    throw new PhaseEquilibriaError(
      'invalid-entry',
      `the energy of ${entry.id} is ${entry.energy}: expected a number of eV`,
      [entry.id],
    );
  const scale = entry === null ? 1 : atomCount(composition) / atomCount(entry.composition);
  const energyPerAtom =
    entry === null ? hullEnergy : (grandEnergy(hull.space, entry.composition, entry.energy) * scale) / size;
  const gap = energyPerAtom - hullEnergy;
  return {
    formula,
    composition,
    entry,
    energyPerAtom,
    energyAboveHull: Math.abs(gap) <= STABILITY_TOLERANCE ? 0 : gap,
    position: amounts.map((amount) => amount / size),
    formulaAtoms: size / units,
    unit: Object.fromEntries(
      Object.entries(composition).map(([element, amount]) => [element, amount / units]),
    ),
  };
}

/** The entry of lowest energy per atom with exactly this composition, including reservoir elements. */
function lowestEntryOf<Entry extends PhaseEntry>(hull: Hull<Entry>, composition: Composition): Entry | null {
  if (Object.keys(hull.space.reservoir).length === 0) {
    const index = lowestEntryIndex(hull, composition);
    return index < 0 ? null : hull.entries[index];
  }
  const wanted = atomicFractions(composition);
  let lowest: Entry | null = null;
  let lowestEnergy = Number.POSITIVE_INFINITY;
  for (const entry of hull.entries) {
    const atoms = atomCount(entry.composition);
    const energy = entry.energy / atoms;
    if (energy >= lowestEnergy) continue;
    const elements = new Set([...Object.keys(entry.composition), ...Object.keys(wanted)]);
    const isSame = [...elements].every(
      (element) =>
        Math.abs((entry.composition[element] ?? 0) / atoms - (wanted[element] ?? 0)) <= COMPOSITION_TOLERANCE,
    );
    if (isSame) [lowest, lowestEnergy] = [entry, energy];
  }
  return lowest;
}

function kinkAt<Entry extends PhaseEntry>(
  hull: Hull<Entry>,
  one: Side<Entry>,
  two: Side<Entry>,
  x: number,
): InterfaceKink<Entry> {
  const position = one.position.map((value, c) => x * value + (1 - x) * two.position[c]);
  const products = sharesAt(hull, position);
  const energy = hull.envelope.heightAt(position) + referenceEnergy(hull, position);
  const total = rounded(energy - x * one.energyPerAtom - (1 - x) * two.energyPerAtom);
  const alone = -x * one.energyAboveHull - (1 - x) * two.energyAboveHull;
  const unitsOfOne = x / one.formulaAtoms;
  const unitsOfTwo = (1 - x) / two.formulaAtoms;
  // The coefficients of the reactants add up to 1, which fixes this number of atoms in the equation.
  const equationAtoms = 1 / (unitsOfOne + unitsOfTwo);
  const molarFraction = unitsOfOne * equationAtoms;
  const atomsOfOne = unitsOfOne * atomCount(one.unit);
  return {
    atomicFraction: atomsOfOne / (atomsOfOne + unitsOfTwo * atomCount(two.unit)),
    mixingFraction: x,
    molarFraction,
    reactionEnergyPerAtom: total,
    reactionEnergyKJPerMol: total * equationAtoms * KJ_PER_MOL_PER_EV,
    decompositionEnergyPerAtom: rounded(alone),
    mutualEnergyPerAtom: rounded(total - alone),
    products,
    equation: equationOf(
      hull,
      [
        [one, molarFraction],
        [two, 1 - molarFraction],
      ],
      products,
      equationAtoms,
    ),
  };
}

/** Energies below the stability tolerance are rounding errors and set to zero. */
const rounded = (energy: number): number => (Math.abs(energy) <= STABILITY_TOLERANCE ? 0 : energy);

function equationOf<Entry extends PhaseEntry>(
  hull: Hull<Entry>,
  sides: readonly (readonly [Side<Entry>, number])[],
  products: readonly PhaseShare<Entry>[],
  equationAtoms: number,
): Equation {
  let equation: Equation = {
    reactants: sides
      .filter(([, coefficient]) => coefficient > 0)
      .map(([{ formula, entry }, coefficient]) => ({
        formula,
        coefficient,
        ...(entry === null ? {} : { id: entry.id }),
      })),
    products: productTerms(products, equationAtoms),
  };
  for (const element of Object.keys(hull.space.reservoir)) {
    const given = sides.reduce(
      (total, [{ unit }, coefficient]) => total + coefficient * (unit[element] ?? 0),
      0,
    );
    const kept = products.reduce((total, { entry, moles }) => {
      const atoms = entry.composition[element] ?? 0;
      return total + (moles * equationAtoms * atoms) / formulaUnit(entry.composition).units;
    }, 0);
    equation = withReservoir(equation, element, given - kept, equationAtoms);
  }
  return equation;
}
