/**
 * Electrochemical stability against a working ion: the phases into which a material transforms when the ion's
 * chemical potential, and so the voltage, changes (Zhu, He & Mo, ACS Appl. Mater. Interfaces 7, 23685 (2015),
 * doi:10.1021/acsami.5b07517).
 *
 * Let Y be the target without the ion. g(N) is the lowest energy of a mixture of Y and N ions, that is, the
 * hull along the line from Y to the pure ion. It is convex and piecewise linear. Its corners are the phase
 * equilibria; its slopes are the chemical potentials at which one equilibrium changes to the next. With V =
 * −(μ − μ_ref)/z the breakpoints are exact, without a grid of voltages.
 *
 * In a hull open to gases all energies are grand potentials, and 0 V still refers to the pure ion. The gas may
 * react with the ion itself (Li2O in air). Below the voltage of that reaction, its product grows without limit.
 */
import { atomCount, type Composition, displayFormula } from '@unitcell/crystal';
import { envelopeProfile } from '@unitcell/numerics';
import {
  type Equation,
  formulaUnit,
  lowestEntryIndex,
  type PhaseShare,
  productTerms,
  sharesAt,
  withReservoir,
} from './decomposition.ts';
import type { PhaseEntry } from './entries.ts';
import { PhaseEquilibriaError } from './error.ts';
import {
  amountsIn,
  grandEnergy,
  type Hull,
  referenceEnergy,
  relativeChemicalPotential,
  STABILITY_TOLERANCE,
  sum,
} from './hull.ts';

/** Charge z of each working ion: the number of electrons exchanged per ion. */
export const WORKING_ION_CHARGES: Readonly<Record<string, number>> = {
  Li: 1,
  Na: 1,
  K: 1,
  Mg: 2,
  Ca: 2,
  Zn: 2,
  Al: 3,
};

/** Ion contents (per atom of the target) that differ by less than this count as equal. */
export const UPTAKE_TOLERANCE = 1e-7;

/** If a slope is below the energy of the pure ion by no more than this (eV/atom), it counts as 0 V. */
const PLATING_TOLERANCE = 1e-7;

/** A phase equilibrium and its voltage range. */
export interface VoltageRange<Entry extends PhaseEntry = PhaseEntry> {
  /** V against the pure ion */
  readonly minV: number;
  /** V against the pure ion; null if there is no upper limit. */
  readonly maxV: number | null;
  /** Ions in the equilibrium mixture, per `composition` of the target. */
  readonly ionContent: number;
  /** Positive: the target takes up ions (reduction); negative: it releases them (oxidation). */
  readonly ionUptake: number;
  /** Phases; their `moles` refer to one `composition` of the target. */
  readonly products: readonly PhaseShare<Entry>[];
  /** The reaction per reduced formula unit of the target. */
  readonly reaction: Equation;
  /** Energy of the mixture, eV per `composition` of the target. */
  readonly energy: number;
}

export interface ElectrochemicalWindow<Entry extends PhaseEntry = PhaseEntry> {
  readonly workingIon: string;
  readonly charge: number;
  /** Energy of the pure ion, eV/atom; it corresponds to 0 V. */
  readonly referenceEnergyPerAtom: number;
  /** The composition of the target, not reduced. */
  readonly composition: Composition;
  readonly formula: string;
  /**
   * Energy of the target used in the calculation, eV per `composition`; in an open hull its grand potential.
   */
  readonly energy: number;
  /** eV/atom; in an open hull per non-reservoir atom. */
  readonly energyAboveHull: number;
  /**
   * Lowest voltage of the window: 0; in an open hull the voltage below which the gas oxidises the ion itself.
   */
  readonly floorV: number;
  /** Below this voltage the target takes up ions; 0 if the target is stable against the metal of the ion. */
  readonly reductionOnsetV: number;
  /** Above this voltage the target releases ions; null if it contains none. */
  readonly oxidationOnsetV: number | null;
  /** Phase equilibria from `floorV` upwards. */
  readonly ranges: readonly VoltageRange<Entry>[];
  /**
   * Index in `ranges` of the range just below the reduction onset (the reduction products), or −1 when stable down to 0
   * V.
   */
  readonly reductionIndex: number;
  /** Index of the range just above the oxidation onset (the oxidation products), or −1 if there is none. */
  readonly oxidationIndex: number;
}

/**
 * The electrochemical window of a composition against a working ion.
 *
 * @param hull a closed or open hull that contains the target's elements and the ion (larger systems give the same
 * answer)
 * @param target composition; or an entry, whose own energy is then used
 * @param workingIon Li, Na, K, Mg, Ca, Zn or Al
 * @throws PhaseEquilibriaError `working-ion` when the ion is unknown, absent from the hull, or the only
 * element of the target; `outside-system`, `invalid-entry`, `unknown-element`
 */
export function electrochemicalWindow<Entry extends PhaseEntry>(
  hull: Hull<Entry>,
  target: Composition | PhaseEntry,
  workingIon: string,
): ElectrochemicalWindow<Entry> {
  const composition = isEntry(target) ? target.composition : target;
  const charge = chargeOf(workingIon);
  const { ion, amounts, others } = exchangeOf(hull, composition, workingIon);
  const contained = amounts[ion];

  const { corners, slopes } = ionProfile(hull, others, ion);
  const atoms = sum(amounts);
  const metal = relativeChemicalPotential(hull.entries, workingIon, 0);
  const floorV = Math.max(0, (metal - hull.references[ion].energyPerAtom) / charge);
  const voltages = slopes.map((slope) => Math.max(floorV, floorV - slope / charge));
  const ranges = corners.map((content, i) =>
    rangeAt(hull, composition, others, ion, content, [voltages[i], voltages[i + 1]]),
  );
  const hullEnergy = hull.envelope.heightAt(amounts) + referenceEnergy(hull, amounts);
  const energy = targetEnergy(hull, target, amounts, hullEnergy);
  const onsets = onsetsOf(corners, voltages, contained, UPTAKE_TOLERANCE * atoms);
  return {
    workingIon,
    charge,
    referenceEnergyPerAtom: metal,
    composition,
    formula: displayFormula(composition),
    energy,
    energyAboveHull:
      Math.abs(energy - hullEnergy) <= STABILITY_TOLERANCE * atoms ? 0 : (energy - hullEnergy) / atoms,
    ...onsets,
    floorV,
    ranges,
  };
}

/**
 * The limits of a window, V against the pure ion: see the fields of these names in `ElectrochemicalWindow`.
 */
export interface WindowOnsets {
  readonly reductionOnsetV: number;
  readonly oxidationOnsetV: number | null;
}

/**
 * The onsets of `electrochemicalWindow` in a closed hull, without phases and equations; faster for catalogues of many windows.
 * @param charge electrons per ion; any element can be the ion
 * @throws PhaseEquilibriaError as `electrochemicalWindow`
 */
export function windowOnsets(
  hull: Hull,
  composition: Composition,
  workingIon: string,
  charge: number,
): WindowOnsets {
  const { ion, amounts, others } = exchangeOf(hull, composition, workingIon);
  const { corners, slopes } = ionProfile(hull, others, ion);
  const voltages = slopes.map((slope) => Math.max(0, -slope / charge));
  const { reductionOnsetV, oxidationOnsetV } = onsetsOf(
    corners,
    voltages,
    amounts[ion],
    UPTAKE_TOLERANCE * sum(amounts),
  );
  return { reductionOnsetV, oxidationOnsetV };
}

/** The target's atoms by component, with and without the ion. */
function exchangeOf(hull: Hull, composition: Composition, workingIon: string) {
  const ion = hull.space.components.indexOf(workingIon);
  if (ion < 0)
    throw new PhaseEquilibriaError(
      'working-ion',
      `the phase diagram ${hull.space.components.join('-')} has no ${workingIon}: add entries of it`,
      [workingIon],
    );
  const amounts = amountsIn(hull, composition, 'the target');
  const others = amounts.slice();
  others[ion] = 0;
  if (sum(others) === 0)
    throw new PhaseEquilibriaError(
      'working-ion',
      `the target holds nothing besides ${[workingIon, ...Object.keys(hull.space.reservoir)].join(', ')}, which are exchanged: it has no window`,
      [workingIon],
    );
  return { ion, amounts, others };
}

/**
 * Driving force for the target's decomposition at any voltage (V against the pure ion): eV per atom of the target,
 * never positive.
 */
export function decompositionEnergyAt(window: ElectrochemicalWindow, voltage: number): number {
  const { composition, workingIon, charge, referenceEnergyPerAtom, energy, ranges } = window;
  const potential = referenceEnergyPerAtom - charge * voltage;
  const contained = composition[workingIon] ?? 0;
  let lowest = Number.POSITIVE_INFINITY;
  for (const range of ranges) lowest = Math.min(lowest, range.energy - potential * range.ionContent);
  const force = lowest - (energy - potential * contained);
  const atoms = atomCount(composition);
  return Math.abs(force) <= STABILITY_TOLERANCE * atoms ? 0 : force / atoms;
}

const isEntry = (target: Composition | PhaseEntry): target is PhaseEntry =>
  typeof target.energy === 'number' && typeof target.composition === 'object';

/** Electrons per ion. @throws PhaseEquilibriaError `working-ion` for an unknown ion */
export function chargeOf(workingIon: string): number {
  const charge = WORKING_ION_CHARGES[workingIon];
  if (charge === undefined)
    throw new PhaseEquilibriaError(
      'working-ion',
      `${workingIon} is not a working ion: choose ${Object.keys(WORKING_ION_CHARGES).join(', ')}`,
      [workingIon],
    );
  return charge;
}

/**
 * Corners of g(N), from the largest ion content down to 0, and the slopes between them. slopes[i] belongs to
 * the piece with more ions than corner i.
 */
function ionProfile(hull: Hull, others: Float64Array, ion: number) {
  const direction = others.map((_, c) => (c === ion ? 1 : 0));
  const size = sum(others);
  // Beyond the ion-richest equilibrium the slope is 0 (pure ion). No compound has 100 ions per atom.
  for (let end = 100 * size; ; end *= 10) {
    const { breakpoints, slopes } = envelopeProfile(hull.envelope, others, direction, end);
    const isPlating = slopes[slopes.length - 1] >= -PLATING_TOLERANCE;
    if (!isPlating && end < 1e5 * size) continue;
    // If the last piece has the slope of the pure ion, the last breakpoint is only the end of the search range.
    return { corners: breakpoints.slice(0, -1).reverse(), slopes: slopes.slice().reverse() };
  }
}

function rangeAt<Entry extends PhaseEntry>(
  hull: Hull<Entry>,
  composition: Composition,
  others: Float64Array,
  ion: number,
  content: number,
  [minV, maxV]: readonly (number | undefined)[],
): VoltageRange<Entry> {
  const position = others.slice();
  position[ion] = content;
  const workingIon = hull.space.components[ion];
  const uptake = content - (composition[workingIon] ?? 0);
  const atoms = atomCount(composition);
  const ionUptake = Math.abs(uptake) <= UPTAKE_TOLERANCE * atoms ? 0 : uptake;
  const products = sharesAt(hull, position);
  const { formula, units } = formulaUnit(composition);
  let equation: Equation = {
    reactants: [{ formula, coefficient: 1 }],
    products: productTerms(products, 1 / units),
  };
  for (const element of Object.keys(hull.space.reservoir)) {
    const held = products.reduce(
      (total, { entry, moles }) =>
        total + (moles / formulaUnit(entry.composition).units) * (entry.composition[element] ?? 0),
      -(composition[element] ?? 0),
    );
    equation = withReservoir(equation, element, -held / units, atoms / units);
  }
  return {
    minV: minV ?? 0,
    maxV: maxV ?? null,
    ionContent: content,
    ionUptake,
    products,
    reaction: withReservoir(equation, workingIon, -ionUptake / units, atoms / units),
    energy: hull.envelope.heightAt(position) + referenceEnergy(hull, position),
  };
}

function targetEnergy(
  hull: Hull,
  target: Composition | PhaseEntry,
  amounts: Float64Array,
  hullEnergy: number,
): number {
  if (isEntry(target)) {
    if (!Number.isFinite(target.energy))
      throw new PhaseEquilibriaError(
        'invalid-entry',
        `the energy of ${target.id} is ${target.energy}: expected a number of eV`,
        [target.id],
      );
    return grandEnergy(hull.space, target.composition, target.energy);
  }
  const lowest = lowestEntryIndex(hull, target);
  return lowest < 0
    ? hullEnergy
    : hull.formationEnergies[lowest] * sum(amounts) + referenceEnergy(hull, amounts);
}

/** Onsets and the adjacent ranges. A target that is not a corner of g(N) has a window of zero width. */
function onsetsOf(
  corners: readonly number[],
  voltages: readonly number[],
  contained: number,
  tolerance: number,
) {
  const windowIndex = corners.findIndex((content) => Math.abs(content - contained) <= tolerance);
  if (windowIndex >= 0) {
    const maxV = voltages[windowIndex + 1] ?? null;
    return {
      reductionOnsetV: voltages[windowIndex] ?? 0,
      oxidationOnsetV: maxV,
      reductionIndex: windowIndex - 1,
      oxidationIndex: maxV === null ? -1 : windowIndex + 1,
    };
  }
  // The ion content falls as the voltage rises, so the first corner with fewer ions than the target is the
  // oxidation product.
  const above = corners.findIndex((content) => content < contained);
  const voltage = voltages[above];
  return {
    reductionOnsetV: voltage,
    oxidationOnsetV: voltage,
    reductionIndex: above - 1,
    oxidationIndex: above,
  };
}
