/** Stored phases as entries of the phase-equilibria package. Pure; also runs in threads. */
import type { GibbsEnergies } from '@unitcell/contract/phase-diagram';
import {
  atomCount,
  type Composition,
  displayFormula,
  molarMass,
  parseFormula,
  reducedFormula,
} from '@unitcell/crystal';
import { AVOGADRO_PER_MOL } from '@unitcell/elements';
import { roundTo } from '@unitcell/numerics';
import {
  buildGrandPotentialHull,
  buildHull,
  combinedError,
  decomposition,
  type Deviations,
  expectedDeviation,
  type GibbsSource,
  type Hull,
  type PhaseEntry,
  PhaseEquilibriaError,
  type PhaseError,
  phasesAtTemperature,
  relativeChemicalPotential,
  scaledError,
  thermalError,
} from '@unitcell/phase-equilibria';
import type { StoredPhase } from './phase-entries.ts';

export interface CatalogueEntry extends PhaseEntry {
  /** null for an element that has no entry at 0 eV/atom, and for a compound entered by the user. */
  readonly structId: number | null;
  readonly spaceGroup: string;
}

const entryOf = (
  structId: number | null,
  composition: Composition,
  formationEnergyPerAtom: number,
  spaceGroup: string,
): CatalogueEntry => ({
  id: String(structId),
  structId,
  composition,
  energy: formationEnergyPerAtom * atomCount(composition),
  spaceGroup,
});

/** A phase of the catalogue, or, without an id, a compound entered by the user. */
export type Target = Omit<StoredPhase, 'structId'> & { readonly structId: number | null };

export const toEntry = (phase: Target): CatalogueEntry =>
  entryOf(phase.structId, parseFormula(phase.formulaReduced), phase.formationEnergyPerAtom, phase.spaceGroup);

/** Number of cached compositions, about 10 MB. A large system has a few thousand formulas. */
const MOST_COMPOSITIONS = 20_000;
const compositions = new Map<string, Composition>();

/**
 * One object per formula, because the package's caches use the object as key. The same object is reused when a
 * system is calculated at another temperature.
 */
function compositionOf(formula: string): Composition {
  const known = compositions.get(formula);
  if (known !== undefined) return known;
  if (compositions.size >= MOST_COMPOSITIONS) compositions.clear();
  const composition = parseFormula(formula);
  compositions.set(formula, composition);
  return composition;
}

/**
 * Entries with formation energies and every element at 0 eV/atom. An element without an entry at 0 gets a bare
 * reference. Polymorphs share their composition object.
 */
export function toEntries(phases: readonly StoredPhase[], elements: readonly string[]): CatalogueEntry[] {
  const entries = phases.map(({ structId, formulaReduced, formationEnergyPerAtom, spaceGroup }) =>
    entryOf(structId, compositionOf(formulaReduced), formationEnergyPerAtom, spaceGroup),
  );
  const atZero = new Set(
    phases.flatMap(({ formulaReduced, formationEnergyPerAtom }) =>
      formationEnergyPerAtom <= 0 ? [formulaReduced] : [],
    ),
  );
  for (const element of elements)
    if (!atZero.has(element) && !atZero.has(`${element}2`))
      entries.push({
        id: `reference:${element}`,
        structId: null,
        composition: { [element]: 1 },
        energy: 0,
        spaceGroup: '',
      });
  return entries;
}

/** The phases in equilibrium at a composition, in the form of an answer. */
export const competingPhases = (hull: Hull<CatalogueEntry>, composition: Composition) =>
  decomposition(hull, composition).map(({ entry, formula, atomicFraction }) => ({
    formula,
    struct_id: entry.structId,
    atomic_fraction: roundTo(atomicFraction, 6),
  }));

/** Å³ in a cubic centimetre. */
const CUBIC_ANGSTROM = 1e24;

/** Å³/atom from a density in g/cm³. */
export const volumePerAtom = (composition: Composition, density: number): number =>
  (molarMass(composition) / AVOGADRO_PER_MOL / density / atomCount(composition)) * CUBIC_ANGSTROM;

export interface EntryAtTemperature extends CatalogueEntry {
  readonly source: GibbsSource;
}

/**
 * The entries of `toEntries` with their Gibbs energies of formation at a temperature, and the measured gases
 * of these elements at 1 bar (`phasesAtTemperature`). Below 300 K the entries have their 0 K energies, without
 * gases.
 */
export function entriesAtTemperature(
  phases: readonly StoredPhase[],
  elements: readonly string[],
  temperature: number,
) {
  const densities = new Map(phases.map(({ structId, density }) => [structId, density]));
  const entries = toEntries(phases, elements).map((entry) => {
    const density = densities.get(entry.structId ?? -1);
    return { ...entry, volume: density ? volumePerAtom(entry.composition, density) : null };
  });
  const { entries: known, gases, unknown, replaced } = phasesAtTemperature(entries, elements, temperature);
  const asEntries = gases.map(
    ({ formula, composition, energy }): EntryAtTemperature => ({
      id: `gas:${formula}`,
      structId: null,
      composition,
      energy,
      spaceGroup: '',
      source: 'gas',
    }),
  );
  return { entries: [...known, ...asEntries] as readonly EntryAtTemperature[], unknown, replaced };
}

type SystemAtTemperature = ReturnType<typeof entriesAtTemperature>;

/**
 * The entry of a material in its system. At 0 K the system may lack the material, because only stable phases
 * may have been read.
 * @throws PhaseEquilibriaError `no-gibbs-energy`
 */
export function entryOfPhase(
  { entries, unknown, replaced }: SystemAtTemperature,
  phase: Target,
  temperature: number | undefined,
): EntryAtTemperature {
  // Only catalogued materials have a density, which the descriptor of Gibbs energies needs.
  if (phase.structId === null && temperature !== undefined) throw withoutGibbsEnergy(phase.formulaReduced);
  const isIt = ({ structId }: CatalogueEntry): boolean => structId !== null && structId === phase.structId;
  if ([...unknown, ...replaced].some(isIt)) throw withoutGibbsEnergy(phase.formulaReduced);
  return entries.find(isIt) ?? { ...toEntry(phase), source: 'plain' };
}

/**
 * The entry of a formula with the lowest Gibbs energy; it may be a gas.
 * @throws PhaseEquilibriaError `no-gibbs-energy`
 */
export function lowestEntryOfFormula({ entries }: SystemAtTemperature, formula: string): EntryAtTemperature {
  const perAtom = ({ composition, energy }: CatalogueEntry): number => energy / atomCount(composition);
  const [lowest] = entries
    .filter(({ composition }) => reducedFormula(composition) === formula)
    .sort((one, other) => perAtom(one) - perAtom(other));
  if (lowest === undefined) throw withoutGibbsEnergy(formula);
  return lowest;
}

function withoutGibbsEnergy(formulaReduced: string): PhaseEquilibriaError {
  const formula = displayFormula(parseFormula(formulaReduced));
  return new PhaseEquilibriaError('no-gibbs-energy', `${formula} has no Gibbs energy`, [formula]);
}

/** The compounds left out of a system at a temperature, with the names used in answers. */
export function gibbsOf({ unknown, replaced }: SystemAtTemperature, temperature: number): GibbsEnergies {
  const namesOf = (left: readonly CatalogueEntry[]): string[] => [
    ...new Set(left.map(({ composition }) => displayFormula(composition))),
  ];
  return { temperature, unknown: namesOf(unknown), replaced: namesOf(replaced) };
}

/** Expected errors of a phase at a temperature, eV/atom; measured gases have no error of the scale. */
export const errorAtTemperature = (
  { composition, source }: EntryAtTemperature,
  deviations: Deviations,
): PhaseError => ({
  scale: source === 'gas' ? 0 : expectedDeviation(composition, deviations),
  thermal: thermalError(source),
});

/**
 * Expected error of a reaction at a temperature, eV: the error of the scale by class of compounds, if known,
 * and the error of the temperature term. Terms of one phase on both sides cancel.
 * @param parts atoms of each phase, negative on the left side
 */
export function expectedErrorOf(
  parts: readonly { readonly entry: EntryAtTemperature; readonly atoms: number }[],
  deviations: Deviations,
): number {
  const net = new Map<EntryAtTemperature, number>();
  for (const { entry, atoms } of parts) net.set(entry, (net.get(entry) ?? 0) + atoms);
  const terms = [...net].map(([entry, atoms]) => {
    const { scale, thermal } = errorAtTemperature(entry, deviations);
    return { composition: entry.composition, ...scaledError({ scale: scale ?? 0, thermal }, atoms) };
  });
  return combinedError(terms) ?? 0;
}

/** An element exchanged with a reservoir. */
export interface OpenElement {
  readonly element: string;
  /** eV/atom relative to the pure element. */
  readonly chemicalPotential: number;
}

/** The hull of a system, or its grand-potential hull if an element is open. */
export const hullOf = <Entry extends CatalogueEntry>(
  entries: readonly Entry[],
  elements: readonly string[],
  open: OpenElement | null,
): Hull<Entry> =>
  open === null
    ? buildHull(entries, { elements })
    : buildGrandPotentialHull(entries, {
        [open.element]: relativeChemicalPotential(entries, open.element, open.chemicalPotential),
      });

// Precision of calculated energies. Sources give five to eight decimals; further digits are floating-point
// noise.

const DECIMALS = 8;

/** An energy (eV per atom) or an amount, rounded as stored and answered. */
export const asFigure = (value: number): number => roundTo(value, DECIMALS);

/** Rounds every number in a plain answer. */
export function asFigures<Answer>(answer: Answer): Answer {
  const figure = (value: unknown): unknown => {
    if (typeof value === 'number') return asFigure(value);
    if (Array.isArray(value)) return value.map(figure);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, figure(each)]));
  };
  return figure(answer) as Answer;
}
