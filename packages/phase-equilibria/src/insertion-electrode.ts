/**
 * Electrodes from calculated energies: insertion into a host framework, and conversion to other phases.
 *
 * The average voltage between two compounds of one host is the difference of their energies per electron
 * (Aydinol, Kohan, Ceder, Cho & Joannopoulos, Phys. Rev. B 56, 1354 (1997), doi:10.1103/PhysRevB.56.1354):
 *
 *     V = −(E(x₂) − E(x₁) − (x₂ − x₁) E_ion) / ((x₂ − x₁) z)
 *
 * with x ions of charge z per formula unit of the framework. Entropy and volume work are left out; they change
 * a voltage by some 0.01 V. A discharge passes only through states on the lower hull of energy over x. Each
 * step between two neighbouring states is a plateau. Energies of PBE without Hubbard U give transition-metal
 * oxides a voltage that is about 0.5 to 1 V too low (Zhou, Cococcioni, Marianetti, Morgan & Ceder, Phys. Rev. B
 * 70, 235121 (2004), doi:10.1103/PhysRevB.70.235121).
 */
import { type Composition, molarMass } from '@unitcell/crystal';
import { ELEMENTARY_CHARGE_C, FARADAY_C_PER_MOL } from '@unitcell/elements';
import type { Equation, PhaseShare } from './decomposition.ts';
import { chargeOf, type ElectrochemicalWindow } from './electrochemical-window.ts';
import type { PhaseEntry } from './entries.ts';
import { PhaseEquilibriaError } from './error.ts';

/** Coulombs in one mAh. */
const COULOMBS_PER_MAH = 3.6;
/** Å³ in one cm³. */
const CUBIC_ANGSTROM_PER_CM3 = 1e24;
/** Ion contents per framework unit that differ by less than this count as equal. */
const CONTENT_TOLERANCE = 1e-6;

/** One compound of the host; all quantities are per formula unit of the framework. */
export interface ChargeState {
  readonly id: string;
  /** Ions x per framework unit. */
  readonly ionContent: number;
  /** Energy of framework and ions, eV per framework unit, on the energy scale of the ion's metal. */
  readonly energy: number;
  /** Å³ per framework unit */
  readonly volume: number;
}

/** One plateau. The charged end has fewer ions. */
export interface VoltageStep<State extends ChargeState = ChargeState> {
  readonly charged: State;
  readonly discharged: State;
  /** V against the ion's metal */
  readonly voltage: number;
}

export interface InsertionElectrode<State extends ChargeState = ChargeState> {
  readonly workingIon: string;
  /** Electrons per ion. */
  readonly charge: number;
  /** The state with the fewest ions. */
  readonly charged: State;
  /** The state with the most ions that is reached at a voltage above 0. */
  readonly discharged: State;
  /** Plateaus from the charged end to the discharged one; their voltages fall. */
  readonly steps: readonly VoltageStep<State>[];
  /** For each given state: eV per framework unit above the lower hull of the states. */
  readonly aboveHostHull: readonly number[];
  /** Average voltage between the charged and the discharged end, V against the ion's metal. */
  readonly averageVoltage: number;
  readonly minVoltage: number;
  readonly maxVoltage: number;
  /** mAh per g of the discharged compound */
  readonly capacityOfDischarged: number;
  /** mAh per g of the charged compound */
  readonly capacityOfCharged: number;
  /** mAh per cm³ of the discharged compound */
  readonly volumetricCapacity: number;
  /** Wh per kg of the discharged compound, without the mass of the ion's metal */
  readonly specificEnergy: number;
  /** Wh per litre of the discharged compound */
  readonly energyDensity: number;
  /** Per cent by which the volume of the discharged compound changes on charging; negative if it shrinks. */
  readonly volumeChange: number;
}

/** Capacity in mAh per g of a compound that exchanges `electrons` per formula (Faraday). */
export const gravimetricCapacity = (electrons: number, compound: Composition): number =>
  (electrons * FARADAY_C_PER_MOL) / COULOMBS_PER_MAH / molarMass(compound);

/** Capacity in mAh per cm³ of a compound with `volume` Å³ per formula that exchanges `electrons` per formula. */
export const volumetricCapacity = (electrons: number, volume: number): number =>
  ((electrons * ELEMENTARY_CHARGE_C) / COULOMBS_PER_MAH / volume) * CUBIC_ANGSTROM_PER_CM3;

/** The states on the lower hull of energy over ion content, by rising content. */
function lowerHull<State extends ChargeState>(states: readonly State[]): State[] {
  const hull: State[] = [];
  const sorted = states.toSorted((a, b) => a.ionContent - b.ionContent || a.energy - b.energy);
  for (const state of sorted) {
    const last = hull.at(-1);
    if (last && state.ionContent - last.ionContent < CONTENT_TOLERANCE) {
      if (state.energy >= last.energy) continue;
      hull.pop();
    }
    for (;;) {
      const [before, end] = [hull.at(-2), hull.at(-1)];
      if (!before || !end || slope(before, end) < slope(before, state)) break;
      hull.pop();
    }
    hull.push(state);
  }
  return hull;
}

/** eV per ion */
const slope = (from: ChargeState, to: ChargeState): number =>
  (to.energy - from.energy) / (to.ionContent - from.ionContent);

function hullEnergyAt(hull: readonly ChargeState[], content: number): number {
  const next = hull.findIndex(({ ionContent }) => ionContent > content + CONTENT_TOLERANCE);
  if (next <= 0) return hull[hull.length - 1].energy;
  const low = hull[next - 1];
  return low.energy + slope(low, hull[next]) * (content - low.ionContent);
}

/**
 * The electrode of one host framework.
 *
 * @param states compounds of the host; several may have the same ion content
 * @param framework the formula unit to which contents, energies and volumes refer, without the ion
 * @param ionEnergyPerAtom energy of the ion's metal, eV/atom; 0 for formation energies
 * @returns null if all states have one ion content, or if the host takes up no ions at a voltage above 0
 * @throws PhaseEquilibriaError `working-ion` for an unknown ion or one that is part of the framework, `invalid-entry`
 */
export function insertionElectrode<State extends ChargeState>(
  states: readonly State[],
  framework: Composition,
  workingIon: string,
  ionEnergyPerAtom = 0,
): InsertionElectrode<State> | null {
  const charge = chargeOf(workingIon);
  if (workingIon in framework)
    throw new PhaseEquilibriaError(
      'working-ion',
      `the framework contains ${workingIon}: give it without the working ion`,
      [workingIon],
    );
  for (const { id, ionContent, energy, volume } of states)
    if (!(ionContent >= 0 && volume > 0 && Number.isFinite(ionContent + energy + volume)))
      throw new PhaseEquilibriaError(
        'invalid-entry',
        `state ${id} has ${ionContent} ions, ${energy} eV and ${volume} Å³ per framework unit: expected finite numbers`,
        [id],
      );
  const hull = lowerHull(states);
  const steps = hull.slice(1).map((discharged, index): VoltageStep<State> => {
    const before = hull[index];
    const voltage = (ionEnergyPerAtom - slope(before, discharged)) / charge;
    return { charged: before, discharged, voltage };
  });
  // Voltages fall along the convex hull. Below 0 V the metal is plated instead.
  const reached = steps.filter(({ voltage }) => voltage > 0);
  const last = reached.at(-1);
  if (!last) return null;
  const [first] = reached;
  const { charged } = first;
  const { discharged } = last;
  const electrons = (discharged.ionContent - charged.ionContent) * charge;
  const averageVoltage = (ionEnergyPerAtom - slope(charged, discharged)) / charge;
  const withIons = ({ ionContent }: ChargeState): Composition => ({ ...framework, [workingIon]: ionContent });
  const capacityOfDischarged = gravimetricCapacity(electrons, withIons(discharged));
  const perVolume = volumetricCapacity(electrons, discharged.volume);
  return {
    workingIon,
    charge,
    charged,
    discharged,
    steps: reached,
    aboveHostHull: states.map(({ energy, ionContent }) =>
      Math.max(0, energy - hullEnergyAt(hull, ionContent)),
    ),
    averageVoltage,
    minVoltage: last.voltage,
    maxVoltage: first.voltage,
    capacityOfDischarged,
    capacityOfCharged: gravimetricCapacity(electrons, withIons(charged)),
    volumetricCapacity: perVolume,
    specificEnergy: capacityOfDischarged * averageVoltage,
    energyDensity: perVolume * averageVoltage,
    volumeChange: 100 * (charged.volume / discharged.volume - 1),
  };
}

/** One plateau of a conversion: at `voltage` the phases of the previous step turn into `products`. */
export interface ConversionStep<Entry extends PhaseEntry = PhaseEntry> {
  /** V against the ion's metal */
  readonly voltage: number;
  /** Ions taken up before and after the step, per formula of the compound. */
  readonly from: number;
  readonly to: number;
  /** Capacity up to the end of the step, mAh per g of the compound without the ions taken up */
  readonly capacity: number;
  readonly products: readonly PhaseShare<Entry>[];
  /** The whole reaction up to the end of the step, per reduced formula of the compound. */
  readonly reaction: Equation;
}

/**
 * The plateaus on which a compound reacts with the ion's metal to the stable phases of the whole system, by
 * falling voltage. They are the equilibria of the electrochemical window that take up ions. Empty if the
 * compound is stable down to 0 V.
 */
export function conversionSteps<Entry extends PhaseEntry>({
  ranges,
  composition,
  charge,
}: ElectrochemicalWindow<Entry>): readonly ConversionStep<Entry>[] {
  const uptakes = ranges.filter(({ ionUptake }) => ionUptake > 0).toReversed();
  return uptakes.map(({ maxV, ionUptake, products, reaction }, index) => ({
    voltage: maxV ?? 0,
    from: uptakes[index - 1]?.ionUptake ?? 0,
    to: ionUptake,
    capacity: gravimetricCapacity(ionUptake * charge, composition),
    products,
    reaction,
  }));
}
