/**
 * Hulls of dirty chemical systems: formation energy, energy above hull, decomposition.
 *
 * Systems are processed in order of their number of elements. The hull of a system depends only on its own
 * entries and on the stable entries of the systems within it, so nothing else is read. Larger systems change
 * only when these stable entries change, so a new entry above the hull affects one system.
 */
import { helpCatalogue } from '@unitcell/contract/jobs';
import type { Database } from '../../infra/database.ts';
import type { JobQueue } from '../../infra/queue.ts';
import { type Pieces, shareOut } from '../../infra/work-rows.ts';
import { type HullChanges, mergeHullChanges } from '../releases/hull-changes.ts';
import { hullPieces, HULLS } from './hull-pieces.ts';
import type { HullRepository } from './hull.repository.ts';

// Distributes a derivation over several workers: any worker takes the next piece, a group of chemical
// systems (infra/work-rows.ts). A single process does the pieces in sequence, and so does a dry run, whose
// transaction other processes cannot see.

/** More helpers would find no work, even in the largest catalogues seen. */
const MOST_CALLED = 8;

/** Processes the pieces of a derivation and returns their results in the same order. */
export type Distribute = <Input extends object, Result extends object>(
  pieces: Pieces<Input, Result>,
) => Promise<Result[]>;

export const inSequence: Distribute = async ({ inputs, doTask, onProgress, signal }) => {
  const results: Awaited<ReturnType<typeof doTask>>[] = [];
  for (const input of inputs) {
    signal?.throwIfAborted();
    // The systems of a piece depend on earlier pieces.
    // oxlint-disable-next-line no-await-in-loop
    results.push(await doTask(input));
    onProgress?.(results.length);
  }
  return results;
};

/** Asks other workers to take part. */
export const withWorkers =
  ({ db }: Pick<Database, 'db'>, queue: Pick<JobQueue, 'enqueue'>): Distribute =>
  (pieces) => {
    if (pieces.inputs.length < 2) return inSequence(pieces);
    const helpers = Array.from({ length: Math.min(MOST_CALLED, pieces.inputs.length - 1) });
    return shareOut(db, pieces, async () => {
      await Promise.all(helpers.map(() => queue.enqueue(helpCatalogue, { kind: pieces.kind })));
    });
  };

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
    let [systems, materials] = [0, 0];
    for (let size = 1; [...dirty].some((name) => sizeOf(name) >= size); size++) {
      const level = [...dirty].filter((name) => sizeOf(name) === size).sort();
      const before = systems;
      const inputs = piecesOf(level, pieceSystems).map((names) => ({ functional, releaseId, names }));
      // Systems depend on smaller ones, so the sizes are derived in sequence.
      // oxlint-disable-next-line no-await-in-loop
      const reports = await distribute({
        kind: HULLS,
        inputs,
        doTask,
        signal,
        onProgress: (done) => onProgress?.(before + Math.min(level.length, done * pieceSystems), dirty.size),
      });
      for (const report of reports) {
        for (const name of report.touched) dirty.add(name);
        changes.push(report.changes);
        materials += report.materials;
      }
      systems += level.length;
    }
    await repository.clearDirty(functional, [...dirty]);
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

    /** Marks every system of these scales as dirty, so the next run derives all of them. */
    async markAll(functionals: readonly string[]): Promise<void> {
      for (const functional of functionals)
        await repository.markDirty(functional, await repository.systems(functional));
    },
  };
}
