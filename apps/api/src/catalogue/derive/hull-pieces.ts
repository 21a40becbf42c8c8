/**
 * One piece of a scale's hulls: chemical systems with the same number of elements. Systems with fewer
 * elements are already derived.
 */
import { atomicFractions, type Composition, parseFormula } from '@unitcell/crystal';
import { ON_HULL } from '@unitcell/material';
import { buildHull, decomposition, energyAboveHull, type PhaseEntry } from '@unitcell/phase-equilibria';
import { asFigure } from '../../domain/thermodynamics/phase-hull.ts';
import { collectHullChanges, type HullChanges } from '../releases/hull-changes.ts';
import type { DerivedEnergy, DerivedSystemMark, EnergyRow, HullRepository } from './hull.repository.ts';
import { systemIndex } from './system-index.ts';

/**
 * Formation energy, energy above hull and decomposition of the entries of one chemical system.
 *
 * All calculations use formation energies, with the elements at exactly 0 eV/atom. Total energies are referred
 * to the lowest pure entry of each element; published formation energies are used unchanged, so a scale may
 * contain total energies or formation energies. On a published scale the element corner stays at 0 even if the
 * element's lowest entry is above 0.
 */
type SystemEntry = EnergyRow & {
  /** Atomic fraction of each element of the entry. */
  readonly fractions: Composition;
};

interface DerivedSystem {
  readonly entries: readonly (SystemEntry & DerivedEnergy)[];
}

/** struct_id used for an element without an entry; a published scale defines the energy of such an element as 0. */
const REFERENCE_ELEMENT = 0;

interface FormationEntry extends PhaseEntry {
  readonly structId: number;
  readonly formula: string;
}

const isElement = ({ fractions }: SystemEntry): boolean => Object.keys(fractions).length === 1;

/** Total energy per atom of the lowest pure entry of each element. */
function elementalEnergies(entries: readonly SystemEntry[]): Map<string, number> {
  const lowest = new Map<string, number>();
  for (const entry of entries) {
    if (!isElement(entry) || entry.energyPerAtom === null) continue;
    const energy = lowest.get(entry.chemicalSystem);
    if (energy === undefined || entry.energyPerAtom < energy)
      lowest.set(entry.chemicalSystem, entry.energyPerAtom);
  }
  return lowest;
}

function formationEnergy(entry: SystemEntry, elements: ReadonlyMap<string, number>): number | null {
  if (entry.givenFormationEnergy !== null) return entry.givenFormationEnergy;
  if (entry.energyPerAtom === null) return null;
  let energy = entry.energyPerAtom;
  for (const [element, fraction] of Object.entries(entry.fractions)) {
    const reference = elements.get(element);
    if (reference === undefined) return null;
    energy -= fraction * reference;
  }
  return asFigure(energy);
}

const toFormationEntry = (entry: SystemEntry, energy: number): FormationEntry => ({
  id: String(entry.structId),
  structId: entry.structId,
  formula: entry.formulaReduced,
  composition: entry.fractions,
  energy,
});

/**
 * @param own entries of exactly this system
 * @param competitors stable entries of its subsystems, which are already derived
 */
function deriveSystem(own: readonly SystemEntry[], competitors: readonly SystemEntry[]): DerivedSystem {
  const elements = elementalEnergies([...own, ...competitors]);
  const energies = own.map((entry) => formationEnergy(entry, elements));
  const known = own.flatMap((entry, index) => {
    const energy = energies[index];
    return energy === null || energy === undefined ? [] : [toFormationEntry(entry, energy)];
  });
  const others = competitors.flatMap((entry) =>
    entry.formationEnergyPerAtom === null ? [] : [toFormationEntry(entry, entry.formationEnergyPerAtom)],
  );
  const symbols = [...new Set([...known, ...others].flatMap((entry) => Object.keys(entry.composition)))];
  // Entries come before the element references, so that an entry at exactly 0 is chosen as the phase.
  const corners = symbols.map(
    (symbol): FormationEntry => ({
      id: `reference:${symbol}`,
      structId: REFERENCE_ELEMENT,
      formula: symbol,
      composition: { [symbol]: 1 },
      energy: 0,
    }),
  );
  const hull = known.length > 0 ? buildHull([...known, ...others, ...corners]) : null;
  return {
    entries: own.map((entry, index) => {
      const energy = energies[index] ?? null;
      if (hull === null || energy === null)
        return { ...entry, formationEnergyPerAtom: null, energyAboveHull: null, decomposition: null };
      return {
        ...entry,
        formationEnergyPerAtom: energy,
        energyAboveHull: asFigure(energyAboveHull(hull, toFormationEntry(entry, energy))),
        decomposition: decomposition(hull, entry.fractions).map((part) => ({
          structId: part.entry.structId,
          formula: part.entry.formula,
          fraction: part.atomicFraction,
        })),
      };
    }),
  };
}

/** Name of this kind of work in the table of work pieces. */
export const HULLS = 'hulls';

/** Systems whose stable entries are read by one query. */
const CHUNK_STABLE = 5000;

interface HullPiece {
  readonly functional: string;
  readonly releaseId: number;
  readonly names: readonly string[];
}

interface HullPieceReport {
  readonly materials: number;
  /** Larger systems to derive again, because they contain a system whose stable entries changed. */
  readonly touched: readonly string[];
  readonly changes: HullChanges;
}

function groupBySystem(rows: readonly EnergyRow[]): Map<string, EnergyRow[]> {
  const groups = new Map<string, EnergyRow[]>();
  for (const row of rows) {
    const group = groups.get(row.chemicalSystem);
    if (group) group.push(row);
    else groups.set(row.chemicalSystem, [row]);
  }
  return groups;
}

/** Text that identifies the stable entries. If it is unchanged, larger systems are not derived again. */
const fingerprint = (entries: readonly SystemEntry[]): string =>
  entries
    .map((entry) => `${entry.structId}:${entry.formationEnergyPerAtom}:${entry.energyPerAtom}`)
    .sort()
    .join(' ');

const isStable = ({ energyAboveHull: above }: Pick<EnergyRow, 'energyAboveHull'>): boolean =>
  above !== null && above <= ON_HULL;

/** Derives pieces. Stable entries read for one piece are cached for later pieces of the same release. */
export function hullPieces(repository: HullRepository): (piece: HullPiece) => Promise<HullPieceReport> {
  const fractionsOf = new Map<string, Composition>();
  const toEntry = (row: EnergyRow): SystemEntry => {
    let fractions = fractionsOf.get(row.formulaReduced);
    if (!fractions) {
      fractions = atomicFractions(parseFormula(row.formulaReduced));
      fractionsOf.set(row.formulaReduced, fractions);
    }
    return { ...row, fractions };
  };

  const openRelease = async (functional: string) => ({
    index: systemIndex([
      ...(await repository.systems(functional)),
      ...(await repository.dirtySystems(functional)),
    ]),
    /** Stable entries by system: read on first use, replaced after a derivation. */
    stable: new Map<string, readonly SystemEntry[]>(),
  });
  let known: { readonly releaseId: number; readonly opened: ReturnType<typeof openRelease> } | null = null;

  return async ({ functional, releaseId, names }) => {
    if (known?.releaseId !== releaseId) known = { releaseId, opened: openRelease(functional) };
    const { index, stable } = await known.opened;
    const inside = new Map(names.map((name) => [name, index.properSubsets(name)]));
    const missing = [...new Set([...inside.values()].flat())].filter((name) => !stable.has(name));
    for (let start = 0; start < missing.length; start += CHUNK_STABLE) {
      const chunk = missing.slice(start, start + CHUNK_STABLE);
      // In sequence, to limit the memory used for query results.
      // oxlint-disable-next-line no-await-in-loop
      const found = groupBySystem(await repository.stable(functional, chunk, ON_HULL));
      for (const name of chunk) stable.set(name, (found.get(name) ?? []).map(toEntry));
    }
    const bySystem = groupBySystem(await repository.entries(functional, names));
    const saved: DerivedEnergy[] = [];
    const touched = new Set<string>();
    const marks: DerivedSystemMark[] = [];
    const changes = collectHullChanges(functional);
    for (const name of names) {
      const rows = bySystem.get(name) ?? [];
      const competitors = (inside.get(name) ?? []).flatMap((subset) => stable.get(subset) ?? []);
      const derived = deriveSystem(rows.map(toEntry), competitors);
      const after = derived.entries.filter(isStable);
      stable.set(name, after);
      saved.push(...derived.entries);
      rows.forEach((row, at) => changes.add(row, derived.entries[at]!));
      const stableChanged = fingerprint(rows.filter(isStable).map(toEntry)) !== fingerprint(after);
      marks.push({ chemicalSystem: name, stableChanged });
      if (stableChanged) for (const around of index.properSupersets(name)) touched.add(around);
    }
    await repository.save(functional, releaseId, saved, [...touched], marks);
    return { materials: saved.length, touched: [...touched], changes: changes.result() };
  };
}
