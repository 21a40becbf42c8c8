/**
 * Phases at a temperature: the Gibbs energy of formation of each phase from the best available source, for
 * hulls of any kind.
 */
import { atomCount, type Composition, reducedFormula } from '@unitcell/crystal';
import { LowerEnvelope } from '@unitcell/numerics';
import { decomposition, SHARE_TOLERANCE } from './decomposition.ts';
import type { PhaseEntry } from './entries.ts';
import { gasPotentials, type GasPart } from './gas-reservoir.ts';
import { amountsIn, energiesAboveHull, type Hull, sum } from './hull.ts';
import { elementGibbs, findSubstance, measuredGases, type MeasuredSubstance } from './measured-substances.ts';
import {
  combinedError,
  computedEnergetics,
  DESCRIPTOR_ERROR,
  type Energetics,
  type ErrorPart,
  type PhaseError,
  scaledError,
  type ThermalSource,
} from './reaction-energy.ts';
import { LEAST_STABILITY } from './stable-steps.ts';
import { STANDARD_TEMPERATURE } from './janaf-table.ts';

/** K. Below the lower limit, plain energies are used; at the upper limit many measured tables end. */
export const HULL_TEMPERATURES = { min: 300, max: 2000 } as const;

/**
 * Source of the Gibbs energy of a phase. `measured`: the table of the compound, of which only the change with
 * temperature is used. `descriptor`: Bartel et al. `gas`: the measured table of a gas at 1 bar. `element`:
 * energies are relative to the element's reference state at every temperature. `plain`: below 300 K the plain
 * energy is used.
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
  /** Crystals of molecules that are gases at T, such as ice; they are replaced by the gas. */
  readonly replaced: readonly Entry[];
}

/**
 * Compounds with gas tables whose crystals are kept, because they are solid or liquid at 300 K or bonded
 * otherwise than the molecules of the gas.
 */
const ALSO_CONDENSED: ReadonlySet<string> = new Set(['AlCl3', 'TiCl4', 'SiO']);

/**
 * Cache by composition object: polymorphs share the object, and so do the same phases at another temperature.
 */
const knownTables = new WeakMap<
  Composition,
  { readonly formula: string; readonly measured: MeasuredSubstance | null }
>();

/** Reduced formula of a compound, and its measured table as a condensed phase. */
function tableOf(composition: Composition) {
  const known = knownTables.get(composition);
  if (known !== undefined) return known;
  const found = {
    formula: reducedFormula(composition),
    measured: findSubstance(composition, 'condensed'),
  };
  knownTables.set(composition, found);
  return found;
}

const holds = ({ range }: Energetics, temperature: number): boolean =>
  temperature >= range.min && temperature <= range.max;

/** ΔfG of a crystal in eV and its source; null if it is unknown at this temperature. */
function gibbsAt(
  { composition, volume, energy }: CrystalEntry,
  measured: MeasuredSubstance | null,
  temperature: number,
): { readonly energy: number; readonly source: ThermalSource } | null {
  const crystal = { composition, volume, formationEnergy: energy / atomCount(composition) };
  const own = computedEnergetics(crystal, measured);
  if (own === null) return null;
  if (holds(own, temperature)) return { energy: own.formation(temperature).gibbs, source: own.thermal };
  const estimate = own.thermal === 'measured' ? computedEnergetics(crystal, null) : null;
  if (estimate === null || !holds(estimate, temperature)) return null;
  const end = Math.min(own.range.max, temperature);
  const change = estimate.formation(temperature).gibbs - estimate.formation(end).gibbs;
  return { energy: own.formation(end).gibbs + change, source: 'descriptor' };
}

/**
 * Gibbs energies of formation of entries at a temperature. They are in eV relative to the
 * elements in their reference states at the same temperature and 1 bar, so a hull of them needs no other zero point.
 *
 * The energy of an entry is its formation energy, which is used as the enthalpy of formation at 298.15 K
 * (`computedEnergetics`). The change with temperature comes from the measured table of the compound
 * (NIST-JANAF, FREED) if it has one at T, otherwise from the descriptor of Bartel et al. (2018) up to 1,800
 * K. Above the end of its table a compound continues with the change of the descriptor, so that its energy
 * has no step. An entry with neither is in `unknown`: compared with Gibbs energies, its plain energy would be
 * too low by T times the entropy of formation, up to 0.4 eV/atom. Elements keep their energies. Measured
 * gases such as CO2 join at 1 bar, and crystals of these molecules are left out. Below 300 K all entries are
 * returned with their plain energies and without gases.
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
  for (const entry of entries) {
    const { composition } = entry;
    if (Object.keys(composition).length === 1) {
      found.push({ ...entry, source: 'element' });
      continue;
    }
    const { formula, measured: table } = tableOf(composition);
    const measured = asGas.has(formula) && !ALSO_CONDENSED.has(formula) ? 'gas' : table;
    if (measured === 'gas') {
      replaced.push(entry);
      continue;
    }
    const best = gibbsAt(entry, measured, temperature);
    if (best === null) unknown.push(entry);
    else found.push({ ...entry, ...best });
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
 * Chemical potentials of the elements of gases for a hull of `phasesAtTemperature`: eV/atom relative to the
 * elements at the same temperature and 1 bar, so that oxygen in O2 is ½ kT ln p. Below 300 K they are
 * relative to the elements at the zero point of the plain energies. Null in the same cases as
 * `gasPotentials`.
 * @param zeroK 0 for calculated energies, 298.15 for measured enthalpies
 * @throws PhaseEquilibriaError as `gasChemicalPotential`
 */
export function gasPotentialsAtTemperature(
  gases: readonly GasPart[],
  temperature: number,
  zeroK: 0 | 298.15 = 0,
): Readonly<Record<string, number>> | null {
  if (temperature < HULL_TEMPERATURES.min) return gasPotentials(gases, temperature, zeroK);
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

/**
 * Expected error of the temperature-dependent part of a Gibbs energy, eV/atom: that of the descriptor, or the
 * scatter between measured tables.
 */
export const thermalError = (source: GibbsSource): number =>
  source === 'descriptor'
    ? DESCRIPTOR_ERROR
    : source === 'measured' || source === 'gas'
      ? LEAST_STABILITY
      : 0;

export interface Verdict {
  /**
   * Energy above the hull of the other phases, eV/atom; negative below it. Null for a corner of the diagram.
   */
  readonly margin: number | null;
  /** Expected absolute error of the margin, eV/atom. */
  readonly error: number;
  /** Whether the margin is smaller than its error. */
  readonly isUndecided: boolean;
}

interface Competitor<Entry> {
  readonly entry: Entry;
  /** Share of this entry in the atoms of the mixture. */
  readonly share: number;
}

/**
 * Returns a function that gives, for a vertex of the hull, the mixture of other stable phases that replaces it
 * and the energy of this mixture relative to the corners. Only the facets around the vertex change, so its
 * neighbours and the corners are sufficient.
 */
function withoutVertex<Entry extends PhaseEntry>(hull: Hull<Entry>) {
  const k = hull.space.components.length;
  const neighbours = hull.vertexEntries.map(() => new Set<number>());
  for (const { vertices } of hull.envelope.allFacets())
    for (const vertex of vertices) for (const other of vertices) neighbours[vertex].add(other);
  const corners = hull.references.map(({ entry }) =>
    hull.vertexEntries.findIndex((index) => hull.entries[index] === entry),
  );
  return (
    vertex: number,
  ): { readonly energy: number; readonly competitors: readonly Competitor<Entry>[] } => {
    const others = [...new Set([...corners, ...neighbours[vertex]])].filter((other) => other !== vertex);
    const indices = others.map((other) => hull.vertexEntries[other]);
    const points = new Float64Array(indices.length * k);
    indices.forEach((index, place) =>
      points.set(hull.fractions.subarray(index * k, index * k + k), place * k),
    );
    const heights = Float64Array.from(indices, (index) => hull.formationEnergies[index]);
    const envelope = new LowerEnvelope(
      points,
      heights,
      corners.map((_, place) => place),
    );
    const own = hull.vertexEntries[vertex];
    const position = hull.fractions.subarray(own * k, own * k + k);
    const facet = envelope.locate(position);
    const competitors = Array.from(envelope.coordinates(facet, position), (share, place) => ({
      entry: hull.entries[indices[facet.vertices[place]]],
      share,
    }));
    return {
      energy: envelope.heightAt(position),
      competitors: competitors.filter(({ share }) => share > SHARE_TOLERANCE),
    };
  };
}

/**
 * Distance in energy of each entry of a hull from its competitors, with the expected error. The competitors of
 * a stable phase are the other stable phases. Errors of compounds of the same elements are correlated
 * (`combinedError`).
 * @param errorOf expected errors of an entry, eV/atom
 * @returns a verdict for each entry of the hull
 * @throws PhaseEquilibriaError `component-count` beyond `MAX_FACET_COMPONENTS` components
 */
export function verdicts<Entry extends PhaseEntry>(
  hull: Hull<Entry>,
  errorOf: (entry: Entry) => PhaseError,
): ReadonlyMap<Entry, Verdict> {
  const isOpen = Object.keys(hull.space.reservoir).length > 0;
  const part = ({ entry, share }: Competitor<Entry>): ErrorPart => ({
    composition: entry.composition,
    // Energies of an open hull are per non-reservoir atom.
    ...scaledError(
      errorOf(entry),
      share * (isOpen ? atomCount(entry.composition) / sum(amountsIn(hull, entry.composition)) : 1),
    ),
  });
  const above = energiesAboveHull(hull);
  const corners = new Set(hull.references.map(({ entry }) => entry));
  const vertexOf = new Map(hull.vertexEntries.map((index, vertex) => [index, vertex]));
  const without = withoutVertex(hull);
  const decompositions = new Map<number, readonly Competitor<Entry>[]>();
  const decompositionOf = (index: number): readonly Competitor<Entry>[] => {
    const known = decompositions.get(hull.groups[index]);
    if (known !== undefined) return known;
    const competitors = decomposition(hull, hull.entries[index].composition).map(
      ({ entry, atomicFraction }) => ({ entry, share: atomicFraction }),
    );
    decompositions.set(hull.groups[index], competitors);
    return competitors;
  };
  const verdictOf = (entry: Entry, index: number): Verdict => {
    if (corners.has(entry)) return { margin: null, error: 0, isUndecided: false };
    const vertex = above[index] === 0 ? vertexOf.get(index) : undefined;
    const stable = vertex === undefined ? null : without(vertex);
    const margin = stable ? hull.formationEnergies[index] - stable.energy : above[index];
    const competitors = stable ? stable.competitors : decompositionOf(index);
    const parts = [{ entry, share: 1 }, ...competitors.map((one) => ({ ...one, share: -one.share }))];
    const error = combinedError(parts.map(part)) ?? 0;
    return { margin, error, isUndecided: Math.abs(margin) < error };
  };
  return new Map(hull.entries.map((entry, index) => [entry, verdictOf(entry, index)]));
}
