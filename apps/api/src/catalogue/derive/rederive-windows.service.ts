/**
 * Electrochemical windows of marked chemical systems: every stable and metastable material against every working
 * ion. The hulls leave the marks (see `rederive-hulls.service.ts`); each chunk of systems takes its marks away with
 * the same transaction that stores its windows, so an interrupted run goes on where it stopped.
 */
import { alone } from './derive-together.ts';
import { type WindowWork, WORKING_IONS } from './derive-windows.ts';
import type { HullRepository } from './hull.repository.ts';
import { piecesOf, type RederiveOptions } from './rederive-hulls.service.ts';
import { type SystemIndex, systemIndex } from './system-index.ts';
import { WINDOWS, windowPieces } from './window-pieces.ts';
import type { WindowRepository } from './window.repository.ts';

const PIECE_SYSTEMS = 400;

export interface WindowReport {
  readonly functional: string;
  readonly releaseId: number;
  readonly systems: number;
  readonly windows: number;
}

/** Working ions against which the windows of a system have to be made anew. */
type Affected = ReadonlySet<string>;
const EVERY_ION: Affected = new Set(WORKING_IONS);

/**
 * Systems whose windows may change when the stable phases of `system` did, with the ions concerned. The window of T against I
 * stands on T ∪ {I}: where T holds all elements of `system` all its windows may change, where it lacks an ion of them only
 * the one against that ion.
 */
export function systemsAround(
  index: SystemIndex,
  all: ReadonlySet<string>,
  system: string,
): ReadonlyMap<string, Affected> {
  const around = new Map<string, Affected>();
  const elements = system.split('-');
  for (const ion of WORKING_IONS) {
    if (!elements.includes(ion)) continue;
    const rest = elements.filter((element) => element !== ion).join('-');
    const holders = rest === '' ? all : [rest, ...index.properSupersets(rest)];
    for (const holder of holders)
      if (all.has(holder)) around.set(holder, new Set([...(around.get(holder) ?? []), ion]));
  }
  for (const holder of [system, ...index.properSupersets(system)])
    if (all.has(holder)) around.set(holder, EVERY_ION);
  return around;
}

export function rederiveWindows(repository: WindowRepository, hulls: HullRepository, work?: WindowWork) {
  /**
   * Turns every mark into one that stands for its own system alone; answers the marked systems with the ions concerned. A mark
   * that an interrupted run left behind stands for every ion: which ones it was for is not kept.
   */
  async function spreadMarks(
    functional: string,
    all: ReadonlySet<string>,
    index: SystemIndex,
  ): Promise<ReadonlyMap<string, Affected>> {
    const marks = await repository.marks(functional);
    const affected = new Map(marks.map(({ chemicalSystem }) => [chemicalSystem, EVERY_ION]));
    const changed = marks.filter(({ stableChanged }) => stableChanged);
    // Nothing is left to find where all there is is marked: a whole rebuild.
    if (changed.length === 0 || affected.size >= all.size) {
      await repository.spreadMarks(functional, []);
      return affected;
    }
    for (const { chemicalSystem } of changed)
      for (const [name, ions] of systemsAround(index, all, chemicalSystem)) {
        const known = affected.get(name);
        if (known !== EVERY_ION)
          affected.set(name, ions === EVERY_ION || !known ? ions : new Set([...known, ...ions]));
      }
    await repository.spreadMarks(functional, [...affected.keys()]);
    return affected;
  }

  async function deriveScale(
    functional: string,
    releaseId: number,
    { signal, onProgress, together = alone, pieceSystems = PIECE_SYSTEMS }: RederiveOptions,
  ): Promise<WindowReport> {
    const all = await hulls.systems(functional);
    const marked = await spreadMarks(functional, new Set(all), systemIndex(all));
    const affected = [...marked].sort(([a], [b]) => (a < b ? -1 : 1));
    const reports = await together({
      kind: WINDOWS,
      inputs: piecesOf(affected, pieceSystems).map((piece) => ({
        functional,
        releaseId,
        affected: piece.map(([system, ions]) => [system, [...ions]] as const),
      })),
      doTask: windowPieces(repository, hulls, work),
      signal,
      onProgress: (done) => onProgress?.(Math.min(affected.length, done * pieceSystems), affected.length),
    });
    const windows = reports.reduce((sum, report) => sum + report.windows, 0);
    return { functional, releaseId, systems: affected.length, windows };
  }

  return {
    /**
     * Derives the windows of everything marked, one scale after the other.
     * @returns one report per scale; null when another process is deriving
     */
    async run(options: RederiveOptions = {}): Promise<readonly WindowReport[] | null> {
      const unlock = await hulls.tryLock();
      if (!unlock) return null;
      try {
        const reports: WindowReport[] = [];
        for (const functional of await repository.markedFunctionals()) {
          const releaseId = await hulls.openRelease('windows');
          const report = await deriveScale(functional, releaseId, options);
          await hulls.closeRelease(releaseId, report);
          reports.push(report);
        }
        return reports;
      } finally {
        await unlock();
      }
    },

    /** Marks every system of every scale: the next run derives all windows anew. */
    markAll: (): Promise<void> => repository.markAll(),
  };
}
