/**
 * Hulls of dirty chemical systems: formation energy, energy above hull, decomposition.
 *
 * Systems are taken in order of their number of elements. The hull of a system is that of its own entries and the
 * stable entries of the systems inside it, so nothing else has to be read; and the systems around it only change
 * when its stable entries changed, so a new entry above the hull touches one system.
 */
import { atomicFractions, type Composition, parseFormula } from '@unitcell/crystal';
import { deriveSystem, type SystemEntry } from './derive-system.ts';
import type { DerivedEnergy, DerivedSystemMark, EnergyRow, HullRepository } from './hull.repository.ts';
import { collectHullChanges, type HullChanges } from '../releases/hull-changes.ts';
import { systemIndex } from './system-index.ts';

/** eV/atom. An entry this close to the hull is on it: below what any calculation resolves, above rounding. */
export const STABLE_TOLERANCE = 1e-6;
/** Systems read from and written to the database at once. */
const CHUNK_SYSTEMS = 500;

export interface RederiveReport {
  readonly functional: string;
  readonly releaseId: number;
  readonly systems: number;
  readonly materials: number;
  readonly changes: HullChanges;
}

export interface RederiveOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

const sizeOf = (system: string): number => system.split('-').length;

function* chunks<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
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

/** What must stay the same for the systems around to stay as they are. */
const fingerprint = (entries: readonly SystemEntry[]): string =>
  entries
    .map((entry) => `${entry.structId}:${entry.formationEnergyPerAtom}:${entry.energyPerAtom}`)
    .sort()
    .join(' ');

export function rederiveHulls(repository: HullRepository) {
  const fractionsOf = new Map<string, Composition>();
  const toEntry = (row: EnergyRow): SystemEntry => {
    let fractions = fractionsOf.get(row.formulaReduced);
    if (!fractions) {
      fractions = atomicFractions(parseFormula(row.formulaReduced));
      fractionsOf.set(row.formulaReduced, fractions);
    }
    return { ...row, fractions };
  };

  async function deriveScale(
    functional: string,
    releaseId: number,
    options: RederiveOptions,
  ): Promise<RederiveReport> {
    const dirty = new Set(await repository.dirtySystems(functional));
    const index = systemIndex([...(await repository.systems(functional)), ...dirty]);
    /** Stable entries by system: read when first needed, replaced when derived here. */
    const stable = new Map<string, readonly SystemEntry[]>();
    const changes = collectHullChanges(functional, await repository.countDerived(functional));
    let systems = 0;
    let materials = 0;

    const loadStable = async (names: Iterable<string>): Promise<void> => {
      const missing = [...new Set(names)].filter((name) => !stable.has(name));
      for (const chunk of chunks(missing, 5000)) {
        for (const name of chunk) stable.set(name, []);
        for (const row of await repository.stable(functional, chunk, STABLE_TOLERANCE))
          (stable.get(row.chemicalSystem) as SystemEntry[]).push(toEntry(row));
      }
    };

    const deriveChunk = async (names: readonly string[]): Promise<void> => {
      const inside = new Map(names.map((name) => [name, index.properSubsets(name)]));
      await loadStable([...inside.values()].flat());
      const bySystem = groupBySystem(await repository.entries(functional, names));
      const saved: DerivedEnergy[] = [];
      const touched = new Set<string>();
      const marks: DerivedSystemMark[] = [];
      for (const name of names) {
        const rows = bySystem.get(name) ?? [];
        const before = rows.filter(
          (row) => row.energyAboveHull !== null && row.energyAboveHull <= STABLE_TOLERANCE,
        );
        const competitors = (inside.get(name) ?? []).flatMap((subset) => stable.get(subset) ?? []);
        const derived = deriveSystem(rows.map(toEntry), competitors);
        const after = derived.entries.filter(
          (entry) => entry.energyAboveHull !== null && entry.energyAboveHull <= STABLE_TOLERANCE,
        );
        stable.set(name, after);
        saved.push(...derived.entries);
        rows.forEach((row, at) => changes.add(row, derived.entries[at]!));
        const stableChanged = fingerprint(before.map(toEntry)) !== fingerprint(after);
        marks.push({ chemicalSystem: name, stableChanged });
        if (stableChanged) for (const around of index.properSupersets(name)) touched.add(around);
        systems++;
        materials += rows.length;
      }
      const newlyDirty = [...touched].filter((name) => !dirty.has(name));
      for (const name of newlyDirty) dirty.add(name);
      await repository.save(functional, releaseId, saved, newlyDirty, marks);
    };

    for (let size = 1; ; size++) {
      const level = [...dirty].filter((name) => sizeOf(name) === size).sort();
      for (const chunk of chunks(level, CHUNK_SYSTEMS)) {
        options.signal?.throwIfAborted();
        await deriveChunk(chunk);
        options.onProgress?.(systems, dirty.size);
      }
      if ([...dirty].every((name) => sizeOf(name) <= size)) break;
    }
    await repository.clearDirty(functional, [...dirty]);
    return { functional, releaseId, systems, materials, changes: changes.result() };
  }

  return {
    /**
     * Derives everything that is dirty, one scale after the other.
     * @returns one report per scale; null when another process is deriving
     */
    async run(options: RederiveOptions = {}): Promise<readonly RederiveReport[] | null> {
      const unlock = await repository.tryLock();
      if (!unlock) return null;
      try {
        const reports: RederiveReport[] = [];
        for (const functional of await repository.dirtyFunctionals()) {
          const releaseId = await repository.openRelease('hulls');
          const report = await deriveScale(functional, releaseId, options);
          await repository.closeRelease(releaseId, report);
          reports.push(report);
        }
        return reports;
      } finally {
        await unlock();
      }
    },

    /** Marks every system of every scale (or one scale) dirty: the next run derives all anew. */
    async markAll(functionals: readonly string[]): Promise<void> {
      for (const functional of functionals)
        await repository.markDirty(functional, await repository.systems(functional));
    },
  };
}
