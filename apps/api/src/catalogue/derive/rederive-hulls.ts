/**
 * Hulls of dirty chemical systems: formation energy, energy above hull, decomposition.
 *
 * Systems are processed in order of their number of elements. The hull of a system depends only on its own
 * entries and on the stable entries of the systems within it, so nothing else is read. Larger systems change
 * only when these stable entries change, so a new entry above the hull affects one system.
 */
import { mergeHullChanges, type HullChanges } from '../releases/hull-changes.ts';
import { type Distribute, inSequence } from './derive-in-parallel.ts';
import { HULLS, hullPieces } from './hull-pieces.ts';
import type { HullRepository, Mark, MarkTable } from './hull.repository.ts';

const PIECE_SYSTEMS = 500;

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
  /** Distributes the pieces; by default this process does all of them. */
  readonly distribute?: Distribute;
  /** Systems per piece, read and written together. */
  readonly pieceSystems?: number;
}

const sizeOf = (system: string): number => system.split('-').length;

/** Splits a list into pieces of at most `size`. */
export const piecesOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));

/**
 * Derives the scales with marks one after the other, each in a separate release.
 * @returns one report per scale; null when another process is deriving
 */
export async function deriveMarked<Report extends object>(
  hulls: HullRepository,
  kind: string,
  marks: MarkTable,
  deriveScale: (functional: string, releaseId: number) => Promise<Report>,
): Promise<readonly Report[] | null> {
  const unlock = await hulls.tryLock();
  if (!unlock) return null;
  try {
    const reports: Report[] = [];
    for (const functional of await hulls.markedScales(marks)) {
      const releaseId = await hulls.openRelease(kind);
      const report = await deriveScale(functional, releaseId);
      await hulls.closeRelease(releaseId, report);
      reports.push(report);
    }
    return reports;
  } finally {
    await unlock();
  }
}

export function rederiveHulls(repository: HullRepository) {
  async function deriveScale(
    functional: string,
    releaseId: number,
    { signal, onProgress, distribute = inSequence, pieceSystems = PIECE_SYSTEMS }: RederiveOptions,
  ): Promise<RederiveReport> {
    const dirty = new Set(await repository.dirtySystems(functional));
    const compared = await repository.countDerived(functional);
    const doTask = hullPieces(repository);
    const changes: HullChanges[] = [];
    const marks: Mark[][] = [];
    let [systems, materials] = [0, 0];
    for (let size = 1; [...dirty].some((name) => sizeOf(name) >= size); size++) {
      const level = [...dirty].filter((name) => sizeOf(name) === size).sort();
      const before = systems;
      const inputs = piecesOf(level, pieceSystems).map((names) => ({ functional, releaseId, names }));
      // Systems depend on smaller ones, so the sizes are derived in sequence.
      /* oxlint-disable no-await-in-loop */
      marks.push(await repository.marks(functional, level));
      const reports = await distribute({
        kind: HULLS,
        inputs,
        doTask,
        signal,
        onProgress: (done) => onProgress?.(before + Math.min(level.length, done * pieceSystems), dirty.size),
      });
      /* oxlint-enable */
      for (const report of reports) {
        for (const name of report.touched) dirty.add(name);
        changes.push(report.changes);
        materials += report.materials;
      }
      systems += level.length;
    }
    await repository.clearDirty(functional, marks.flat());
    return {
      functional,
      releaseId,
      systems,
      materials,
      changes: mergeHullChanges(functional, compared, changes),
    };
  }

  return {
    /**
     * Derives everything that is dirty, one scale after the other.
     * @returns one report per scale; null when another process is deriving
     */
    run: (options: RederiveOptions = {}): Promise<readonly RederiveReport[] | null> =>
      deriveMarked(repository, 'hulls', 'dirty_system', (functional, releaseId) =>
        deriveScale(functional, releaseId, options),
      ),

    /** Marks every system of these scales as dirty, so the next run derives all of them. */
    async markAll(functionals: readonly string[]): Promise<void> {
      for (const functional of functionals)
        await repository.markDirty(functional, await repository.systems(functional));
    },
  };
}
