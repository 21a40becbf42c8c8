/**
 * The convex hull of formation energies: decides which phases are stable, and how far the others are above it.
 *
 * At a composition x the equilibrium is the mixture of entries with the lowest energy, min Σ cᵢ eᵢ with Σ cᵢ xᵢ = x, cᵢ
 * ≥ 0 (energies and compositions per atom). Its optimal bases are facets of the lower hull. `LowerEnvelope` finds them
 * on demand and keeps them, so any number of components works without enumeration in advance. Definitions: Ong, Wang,
 * Kang & Ceder, Chem. Mater. 20, 1798 (2008), doi:10.1021/cm702327g.
 */
import type { Composition } from '@unitcell/crystal';
import { LowerEnvelope } from '@unitcell/numerics';
import {
  assertComposition,
  assertEntries,
  type ComponentSpace,
  compoundSpace,
  elementSpace,
  compositionIndex,
  type PhaseEntry,
} from './entries.ts';
import { PhaseEquilibriaError } from './error.ts';

/**
 * Entries (except elements) whose formation energy is above −FORMATION_TOLERANCE cannot be corners of the hull.
 * The mixture of the elements is at least as low, within the rounding of total energies.
 */
export const FORMATION_TOLERANCE = 1e-11;

/** A phase less than this (eV/atom) above the hull is stable; databases publish energies to 1e-6 eV at best. */
export const STABILITY_TOLERANCE = 1e-8;

export interface HullReference<Entry extends PhaseEntry = PhaseEntry> {
  readonly entry: Entry;
  /** eV/atom; with a reservoir, the grand potential per non-reservoir atom. */
  readonly energyPerAtom: number;
}

/** A complete hull. Fields after `references` are internal to this package. */
export interface Hull<Entry extends PhaseEntry = PhaseEntry> {
  readonly space: ComponentSpace;
  /** The entries inside the space, in the original order. */
  readonly entries: readonly Entry[];
  /** For each component, the entry with the lowest energy. */
  readonly references: readonly HullReference<Entry>[];
  /** Formation energy of each entry, eV/atom. */
  readonly formationEnergies: Float64Array;
  /** k coordinates (atomic fractions by component) per entry. */
  readonly fractions: Float64Array;
  /** Entry index → index of its group of equal compositions. */
  readonly groups: Int32Array;
  /** Group → entry index of its lowest member. */
  readonly lowestOfGroup: readonly number[];
  /** Envelope vertex → entry index. */
  readonly vertexEntries: readonly number[];
  readonly envelope: LowerEnvelope;
}

/**
 * Builds the hull of a chemical system. Duplicates, supercells and ties are allowed; the lowest energy per
 * atom of each composition is used.
 *
 * @param options.elements the components, in the order of coordinates; default: all elements of the entries,
 * alphabetically. Entries with other elements are ignored.
 * @throws PhaseEquilibriaError `empty`, `invalid-entry`, `duplicate-id`, `unknown-element`, or `missing-reference` when
 * an element has no entry
 * @example
 * const hull = buildHull([
 *   { id: 'a', composition: { Fe: 1 }, energy: 0 },
 *   { id: 'b', composition: { O: 2 }, energy: 0 },
 *   { id: 'c', composition: { Fe: 2, O: 3 }, energy: -8 },
 * ]);
 * decomposition(hull, { Fe: 1, O: 1 }).map(({ entry }) => entry.id); // ['a', 'c']
 */
export function buildHull<Entry extends PhaseEntry>(
  entries: readonly Entry[],
  options: { readonly elements?: readonly string[] } = {},
): Hull<Entry> {
  assertEntries(entries);
  const elements = options.elements ?? elementsOf(entries);
  for (const element of elements) assertComposition({ [element]: 1 }, 'the list of components');
  return assembleHull(entries, elementSpace([...new Set(elements)]));
}

/**
 * The hull of a compound phase diagram: its corners are compositions such as Li2O and MnO, and it includes only entries
 * that are mixtures of them. Coordinates are shares of atoms; energies are in eV/atom relative to the corners.
 *
 * @throws PhaseEquilibriaError as `buildHull`, and `dependent-components`
 */
export function buildCompoundHull<Entry extends PhaseEntry>(
  entries: readonly Entry[],
  corners: readonly { readonly label: string; readonly composition: Composition }[],
): Hull<Entry> {
  assertEntries(entries);
  for (const { label, composition } of corners) assertComposition(composition, label);
  return assembleHull(
    entries,
    compoundSpace(
      corners.map(({ label }) => label),
      corners.map(({ composition }) => composition),
    ),
  );
}

/**
 * The hull open to elements at fixed chemical potentials (eV/atom, absolute, on the scale of the entries). Energies are
 * grand potentials E − Σ μn; compositions contain only the remaining elements. See `relativeChemicalPotential`.
 *
 * @param elements the remaining elements, in the order of coordinates; default: all of the entries, alphabetically
 * @throws PhaseEquilibriaError as `buildHull`; `component-count` when no element remains
 */
export function buildGrandPotentialHull<Entry extends PhaseEntry>(
  entries: readonly Entry[],
  chemicalPotentials: Readonly<Record<string, number>>,
  elements?: readonly string[],
): Hull<Entry> {
  assertEntries(entries);
  for (const [element, potential] of Object.entries(chemicalPotentials)) {
    assertComposition({ [element]: 1 }, 'the reservoir');
    if (!Number.isFinite(potential))
      throw new PhaseEquilibriaError(
        'invalid-entry',
        `the chemical potential of ${element} is ${potential}: expected a finite number of eV/atom`,
        [element],
      );
  }
  const closed = (elements ?? elementsOf(entries)).filter((element) => !(element in chemicalPotentials));
  if (closed.length === 0)
    throw new PhaseEquilibriaError(
      'component-count',
      'every element is open: at least one must stay in the system',
    );
  return assembleHull(entries, elementSpace(closed, chemicalPotentials));
}

/**
 * Absolute chemical potential (eV/atom) that is `relative` eV above the lowest entry of the pure element.
 * @throws PhaseEquilibriaError `missing-reference` when the element has no entry
 */
export function relativeChemicalPotential(
  entries: readonly PhaseEntry[],
  element: string,
  relative: number,
): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const { composition, energy } of entries) {
    const amount = composition[element] ?? 0;
    const isPure =
      amount > 0 && Object.keys(composition).every((other) => other === element || composition[other] === 0);
    if (isPure) lowest = Math.min(lowest, energy / amount);
  }
  if (!Number.isFinite(lowest)) throw missingReference([element]);
  return lowest + relative;
}

const elementsOf = (entries: readonly PhaseEntry[]): string[] => {
  const elements = new Set<string>();
  for (const { composition } of entries)
    for (const element in composition) if (composition[element] > 0) elements.add(element);
  return [...elements].sort();
};

const missingReference = (components: readonly string[]): PhaseEquilibriaError =>
  new PhaseEquilibriaError(
    'missing-reference',
    `no entry fixes the energy of ${components.join(', ')}: add an entry of ${components.length > 1 ? 'each' : 'it'} to compare with`,
    components,
  );

/** Energy of the composition minus Σ μn of its reservoir atoms, eV. */
export function grandEnergy({ reservoir }: ComponentSpace, composition: Composition, energy: number): number {
  let result = energy;
  for (const element in reservoir) result -= reservoir[element] * (composition[element] ?? 0);
  return result;
}

function assembleHull<Entry extends PhaseEntry>(given: readonly Entry[], space: ComponentSpace): Hull<Entry> {
  const k = space.components.length;
  const amounts = new Float64Array(k);
  const entries: Entry[] = [];
  const fractions = new Float64Array(given.length * k);
  const energies: number[] = [];
  const compositions = compositionIndex(fractions, k);
  const groups: number[] = [];
  const lowestOfGroup: number[] = [];
  for (const entry of given) {
    if (!space.amountsOf(entry.composition, amounts)) continue;
    const position = entries.push(entry) - 1;
    let size = 0;
    for (let c = 0; c < k; c++) size += amounts[c];
    for (let c = 0; c < k; c++) fractions[position * k + c] = amounts[c] / size;
    energies.push(grandEnergy(space, entry.composition, entry.energy) / size);
    const group = compositions.groupOf(position);
    if (group === lowestOfGroup.length) lowestOfGroup.push(position);
    else if (energies[position] < energies[lowestOfGroup[group]]) lowestOfGroup[group] = position;
    groups.push(group);
  }

  const corners = space.components.map((_, corner) => {
    const group = compositions.find(Float64Array.from({ length: k }, (__, c) => (c === corner ? 1 : 0)));
    return group < 0 ? -1 : lowestOfGroup[group];
  });
  const missing = space.components.filter((_, corner) => corners[corner] < 0);
  if (missing.length > 0) throw missingReference(missing);

  const formationEnergies = Float64Array.from(energies, (energy, index) => {
    let reference = 0;
    for (let c = 0; c < k; c++) reference += fractions[index * k + c] * energies[corners[c]];
    return energy - reference;
  });
  const isCorner = new Set(corners);
  const vertexEntries = lowestOfGroup.filter(
    (index) => isCorner.has(index) || formationEnergies[index] < -FORMATION_TOLERANCE,
  );
  const points = new Float64Array(vertexEntries.length * k);
  vertexEntries.forEach((index, vertex) => {
    for (let c = 0; c < k; c++) points[vertex * k + c] = fractions[index * k + c];
  });
  const heights = Float64Array.from(vertexEntries, (index) =>
    isCorner.has(index) ? 0 : formationEnergies[index],
  );
  const vertexOf = new Map(vertexEntries.map((index, vertex) => [index, vertex]));
  return {
    space,
    entries,
    references: corners.map((index) => ({ entry: entries[index], energyPerAtom: energies[index] })),
    formationEnergies,
    fractions: fractions.subarray(0, entries.length * k),
    groups: Int32Array.from(groups),
    lowestOfGroup,
    vertexEntries,
    envelope: new LowerEnvelope(
      points,
      heights,
      corners.map((index) => vertexOf.get(index) ?? 0),
    ),
  };
}

/**
 * Amounts of `composition` in atoms, by component of the hull.
 * @throws PhaseEquilibriaError `outside-system` when the composition is not a mixture of the components
 */
export function amountsIn(hull: Hull, composition: Composition, owner = 'the composition'): Float64Array {
  assertComposition(composition, owner);
  const amounts = new Float64Array(hull.space.components.length);
  if (!hull.space.amountsOf(composition, amounts)) {
    const components = new Set([...hull.space.components, ...Object.keys(hull.space.reservoir)]);
    const foreign = Object.keys(composition).filter((element) => !components.has(element));
    throw new PhaseEquilibriaError(
      'outside-system',
      `${owner} ${foreign.length > 0 ? `holds ${foreign.join(', ')} and ` : ''}lies outside the system ${hull.space.components.join('-')}`,
      foreign,
    );
  }
  return amounts;
}

export const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

/** Energy in eV of these amounts of the corners; formation energies are relative to it. */
export function referenceEnergy(hull: Hull, amounts: Float64Array): number {
  let energy = 0;
  for (let c = 0; c < amounts.length; c++) energy += amounts[c] * hull.references[c].energyPerAtom;
  return energy;
}

/** Energy per atom of an entry relative to the corners of the diagram, eV/atom. */
export function formationEnergyPerAtom(
  hull: Hull,
  entry: Pick<PhaseEntry, 'composition' | 'energy'>,
): number {
  const amounts = amountsIn(hull, entry.composition);
  return (
    (grandEnergy(hull.space, entry.composition, entry.energy) - referenceEnergy(hull, amounts)) / sum(amounts)
  );
}

/**
 * Energy above the hull, eV/atom: 0 for stable entries of the hull. An entry that is not part of the hull may
 * be below it. Its value is then negative: the entry would be stable by this amount.
 */
export function energyAboveHull(hull: Hull, entry: Pick<PhaseEntry, 'composition' | 'energy'>): number {
  const amounts = amountsIn(hull, entry.composition);
  const size = sum(amounts);
  const gap =
    (grandEnergy(hull.space, entry.composition, entry.energy) -
      referenceEnergy(hull, amounts) -
      hull.envelope.heightAt(amounts)) /
    size;
  return Math.abs(gap) <= STABILITY_TOLERANCE ? 0 : gap;
}

/** Energies above the hull of all entries of the hull, eV/atom, in the order of `hull.entries`; never negative. */
export function energiesAboveHull(hull: Hull): Float64Array {
  const k = hull.space.components.length;
  const hullEnergies = hull.lowestOfGroup.map((index) =>
    hull.envelope.heightAt(hull.fractions.subarray(index * k, index * k + k)),
  );
  return hull.formationEnergies.map((energy, index) => {
    const gap = energy - hullEnergies[hull.groups[index]];
    return gap <= STABILITY_TOLERANCE ? 0 : gap;
  });
}

/** Entries on the hull, that is, with energy above hull 0, including duplicates of equal energy. */
export function stableEntries<Entry extends PhaseEntry>(hull: Hull<Entry>): readonly Entry[] {
  const energies = energiesAboveHull(hull);
  return hull.entries.filter((_, index) => energies[index] === 0);
}
