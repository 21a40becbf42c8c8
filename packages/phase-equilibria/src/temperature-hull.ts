/**
 * Phases at a temperature: the Gibbs energy of formation of each one from the best known source, for hulls of any kind.
 */
import { atomCount, type Composition, reducedFormula } from '@unitcell/crystal';
import { decomposition } from './decomposition.ts';
import type { PhaseEntry } from './entries.ts';
import { gasPotentials, type GasPart } from './gas-reservoir.ts';
import { amountsIn, assembleHull, energyAboveHull, type Hull, stableEntries, sum } from './hull.ts';
import { elementGibbs, findSubstance, measuredGases } from './measured-substances.ts';
import {
  combinedError,
  computedEnergetics,
  DESCRIPTOR_ERROR,
  type Energetics,
  type ErrorPart,
  type ThermalSource,
} from './reaction-energy.ts';
import { LEAST_STABILITY } from './stable-steps.ts';
import { STANDARD_TEMPERATURE } from './janaf-table.ts';

/** K. Below the lower limit the hull of plain energies applies; many measured tables end at the upper one. */
export const HULL_TEMPERATURES = { min: 300, max: 2000 } as const;

/**
 * Source of the Gibbs energy of a phase: the measured table of the compound (its change with temperature only), the
 * descriptor of Bartel et al., the measured table of a gas at 1 bar, an element, whose energies are relative to its own
 * reference state at every temperature, or none below 300 K, where the plain energy is used.
 */
export type GibbsSource = ThermalSource | 'gas' | 'element' | 'plain';

export interface CrystalEntry extends PhaseEntry {
  /** Å³/atom; null if unknown. */
  readonly volume: number | null;
}

export interface PhasesAtTemperature<Entry> {
  /** The entries with a known Gibbs energy; `energy` is ΔfG(T) in eV, relative to the elements at T and 1 bar. */
  readonly entries: readonly (Entry & { readonly source: Exclude<GibbsSource, 'gas'> })[];
  /** Measured gases of these elements at 1 bar, `energy` in eV per molecule. */
  readonly gases: readonly {
    readonly formula: string;
    readonly composition: Composition;
    readonly energy: number;
  }[];
  /** Entries without a known Gibbs energy at T. They cannot be compared with the others. */
  readonly unknown: readonly Entry[];
  /** Crystals of molecules that are gases at T, such as ice: the gas takes their place. */
  readonly replaced: readonly Entry[];
}

/** Compounds in the tables of gases that are solid or liquid at 300 K or have crystals of another bonding. */
const ALSO_CONDENSED: ReadonlySet<string> = new Set(['AlCl3', 'TiCl4', 'SiO']);

/**
 * Gibbs energies of formation of entries at a temperature. They are in eV relative to the
 * elements in their reference states at the same temperature and 1 bar, so a hull of them needs no other zero point.
 *
 * The energy of an entry is its formation energy, which is used as the enthalpy of formation at 298.15 K
 * (`computedEnergetics`). Temperature is added from the measured table of the compound (NIST-JANAF, FREED) where it has
 * one at T, otherwise by the descriptor of Bartel et al. (2018) up to 1,800 K. An entry with neither is in `unknown`: its
 * plain energy would win over Gibbs energies by T times the entropy of formation, up to 0.4 eV/atom. Elements keep their
 * energies. Measured gases such as CO2 join at 1 bar, and crystals of these molecules are left out. Below 300 K all
 * entries are returned with their plain energies and without gases.
 *
 * @param entries formation energies, with all elements at 0
 * @param elements of the system; gases with others are not added
 * @param temperature K, 0 to 3,000
 */
export function phasesAtTemperature<Entry extends CrystalEntry>(
  entries: readonly Entry[],
  elements: readonly string[],
  temperature: number,
): PhasesAtTemperature<Entry> {
  if (temperature < HULL_TEMPERATURES.min)
    return {
      entries: entries.map((entry) => ({ ...entry, source: 'plain' })),
      gases: [],
      unknown: [],
      replaced: [],
    };
  const inside = new Set(elements);
  const gases = measuredGases().filter(({ composition }) =>
    Object.keys(composition).every((element) => inside.has(element)),
  );
  const asGas = new Set(gases.map(({ composition }) => reducedFormula(composition)));
  const found: PhasesAtTemperature<Entry>['entries'][number][] = [];
  const unknown: Entry[] = [];
  const replaced: Entry[] = [];
  // Polymorphs share their composition object, and so the search in the tables.
  const measuredOf = new Map<Composition, ReturnType<typeof findSubstance> | 'gas'>();
  for (const entry of entries) {
    const { composition, volume, energy } = entry;
    if (Object.keys(composition).length === 1) {
      found.push({ ...entry, source: 'element' });
      continue;
    }
    let measured = measuredOf.get(composition);
    if (measured === undefined) {
      const formula = reducedFormula(composition);
      const isGas = asGas.has(formula) && !ALSO_CONDENSED.has(formula);
      measured = isGas ? 'gas' : findSubstance(composition, 'condensed');
      measuredOf.set(composition, measured);
    }
    if (measured === 'gas') {
      replaced.push(entry);
      continue;
    }
    const crystal = { composition, volume, formationEnergy: energy / atomCount(composition) };
    const isKnown = (one: Energetics | null): boolean =>
      one !== null && temperature >= one.range.min && temperature <= one.range.max;
    const own = computedEnergetics(crystal, measured);
    const best = isKnown(own) || measured === null ? own : computedEnergetics(crystal, null);
    if (best !== null && isKnown(best))
      found.push({ ...entry, energy: best.formation(temperature).gibbs, source: best.thermal });
    else unknown.push(entry);
  }
  return {
    entries: found,
    unknown,
    replaced,
    gases: gases
      .filter(({ range }) => temperature >= range.min && temperature <= range.max)
      .map(({ formula, composition, formation }) => ({
        formula,
        composition,
        energy: formation(temperature).gibbs,
      })),
  };
}

/**
 * Chemical potentials of the elements of gases for a hull of `phasesAtTemperature`: eV/atom relative to the elements at
 * the same temperature and 1 bar, so that oxygen in O2 is ½ kT ln p. Below 300 K relative to the gases at 0 K, as plain
 * energies are. Null as `gasPotentials`.
 * @throws PhaseEquilibriaError as `gasChemicalPotential`
 */
export function gasPotentialsAtTemperature(
  gases: readonly GasPart[],
  temperature: number,
): Readonly<Record<string, number>> | null {
  if (temperature < HULL_TEMPERATURES.min) return gasPotentials(gases, temperature, 0);
  const potentials = gasPotentials(gases, temperature, STANDARD_TEMPERATURE);
  return (
    potentials &&
    Object.fromEntries(
      Object.entries(potentials).map(([element, potential]) => [
        element,
        potential - (elementGibbs(element, temperature) ?? 0),
      ]),
    )
  );
}

/** Expected error of temperature's part of a Gibbs energy, eV/atom: of the descriptor, or the scatter of tables. */
export const thermalError = (source: GibbsSource): number =>
  source === 'descriptor'
    ? DESCRIPTOR_ERROR
    : source === 'measured' || source === 'gas'
      ? LEAST_STABILITY
      : 0;

export interface Verdict {
  /** eV/atom: above the hull of the other phases, negative below it. Null for a corner of the diagram. */
  readonly margin: number | null;
  /** Expected absolute error of the margin, eV/atom. */
  readonly error: number;
  /** Whether the margin is smaller than its error. */
  readonly isUndecided: boolean;
}

/**
 * How far each entry of a hull is from its competitors, with the expected error. For a stable phase the competitors
 * are the other stable phases. Errors of compounds of the same elements are correlated (`combinedError`).
 * @param errorOf expected error of an entry, eV/atom
 * @returns in the order of `hull.entries`
 */
export function verdicts<Entry extends PhaseEntry>(
  hull: Hull<Entry>,
  errorOf: (entry: Entry) => number,
): readonly Verdict[] {
  const closedAtoms = (composition: Composition): number => sum(amountsIn(hull, composition));
  const part = (entry: Entry, share: number): ErrorPart => ({
    composition: entry.composition,
    error: (share * errorOf(entry) * atomCount(entry.composition)) / closedAtoms(entry.composition),
  });
  const stable = stableEntries(hull);
  const isStable = new Set(stable);
  const corners = new Set(hull.references.map(({ entry }) => entry));
  return hull.entries.map((entry) => {
    if (corners.has(entry)) return { margin: null, error: 0, isUndecided: false };
    const others = isStable.has(entry)
      ? assembleHull(
          stable.filter((other) => other !== entry),
          hull.space,
        )
      : hull;
    const margin = energyAboveHull(others, entry);
    const error =
      combinedError([
        part(entry, 1),
        ...decomposition(others, entry.composition).map((share) => part(share.entry, -share.atomicFraction)),
      ]) ?? 0;
    return { margin, error, isUndecided: Math.abs(margin) < error };
  });
}
