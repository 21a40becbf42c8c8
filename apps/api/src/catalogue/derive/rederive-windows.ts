/**
 * Stability of marked chemical systems under conditions: every stable and metastable material with every working ion,
 * with oxygen and in water. The hull derivation sets the marks (see `rederive-hulls.ts`). A transaction that stores the
 * windows of some systems also removes their marks, so an interrupted run resumes where it stopped.
 */
import { sql } from 'kysely';
import { referenceFormula } from '../../domain/thermodynamics/water-species.ts';
import type { Database, Db } from '../../infra/database.ts';
import { batch } from '../../infra/sql.ts';
import { inSequence } from './derive-in-parallel.ts';
import { AIR_AND_WATER, SURROUNDINGS, systemOf, type WindowWork } from './derive-windows.ts';
import type { HullRepository } from './hull.repository.ts';
import { deriveMarked, piecesOf, type RederiveOptions } from './rederive-hulls.ts';
import { type SystemIndex, systemIndex } from './system-index.ts';
import { WINDOWS, windowPieces } from './window-pieces.ts';

const PIECE_SYSTEMS = 400;

export interface WindowReport {
  readonly functional: string;
  readonly releaseId: number;
  readonly systems: number;
  readonly windows: number;
}

/** Names of the surroundings whose windows must be derived again. */
type Affected = ReadonlySet<string>;
const EVERYTHING: Affected = new Set(Object.keys(SURROUNDINGS));

type Around = Map<string, Affected>;

/** Adds the existing systems that contain `elements`; all existing systems if `elements` is empty. */
function affect(
  around: Around,
  [index, all]: readonly [SystemIndex, ReadonlySet<string>],
  elements: readonly string[],
  surrounding: string,
): void {
  const rest = elements.join('-');
  const holders = rest === '' ? all : [rest, ...index.properSupersets(rest)];
  for (const holder of holders)
    if (all.has(holder)) around.set(holder, new Set([...(around.get(holder) ?? []), surrounding]));
}

const without = (system: string, elements: readonly string[]): string[] =>
  system.split('-').filter((element) => !elements.includes(element));

/**
 * Systems whose windows may change when the stable phases of `system` change, with the affected surroundings.
 * The window of T with ion I depends on T ∪ {I}. If T contains all elements of `system`, all windows of T may
 * change. If T lacks only one working ion of `system`, only the window with that ion may change. Stability
 * against oxygen and in water depends on T ∪ {O, H} and on the reference solids of the dissolved ions of T's
 * elements.
 */
export function systemsAround(
  index: SystemIndex,
  all: ReadonlySet<string>,
  system: string,
): ReadonlyMap<string, Affected> {
  const around: Around = new Map();
  const elements = system.split('-');
  for (const [surrounding, added] of Object.entries(SURROUNDINGS))
    if (elements.some((element) => added.includes(element)))
      affect(around, [index, all], without(system, added), surrounding);
  for (const element of elements)
    if (systemOf(referenceFormula(element) ?? '') === system)
      affect(around, [index, all], [element], AIR_AND_WATER);
  for (const holder of [system, ...index.properSupersets(system)])
    if (all.has(holder)) around.set(holder, EVERYTHING);
  return around;
}

/**
 * Systems whose energies in water change when a phase above the hull of `system` changes. Hydroxides and hydrates above
 * the hull count too: `waterShift` shifts their energies, so a phase above the hull may be the stable phase in water.
 */
export function hydrousAround(index: SystemIndex, all: ReadonlySet<string>, system: string): Around {
  const around: Around = new Map();
  const rest = without(system, ['O', 'H']);
  if (rest.length === system.split('-').length - 2) affect(around, [index, all], rest, AIR_AND_WATER);
  return around;
}

/**
 * Marks the systems in `around`, which contain a system whose stable phases changed. Afterwards each mark
 * applies only to the system it names.
 */
function storeMarks(db: Db, functional: string, around: readonly string[]): Promise<void> {
  const marks = around.map((chemical_system) => ({ chemical_system }));
  return db.transaction().execute(async (tx) => {
    await tx
      .insertInto('dirty_window')
      .columns(['chemical_system', 'functional', 'stable_changed'])
      .expression(({ selectFrom, val }) =>
        selectFrom(batch('marks', 'dirty_window', marks)).select([
          'marks.chemical_system',
          val(functional).as('functional'),
          sql<boolean>`false`.as('stable_changed'),
        ]),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx
      .updateTable('dirty_window')
      .set({ stable_changed: false })
      .where('functional', '=', functional)
      .where('stable_changed', '=', true)
      .execute();
  });
}

export function rederiveWindows(database: Pick<Database, 'db'>, hulls: HullRepository, work?: WindowWork) {
  const { db } = database;

  /**
   * Replaces each mark by marks on the systems it affects; returns the marked systems with the ions
   * affected. A mark left by an interrupted run applies to every ion, because its ions are not stored.
   */
  async function spreadMarks(
    functional: string,
    all: ReadonlySet<string>,
    index: SystemIndex,
  ): Promise<ReadonlyMap<string, Affected>> {
    const marks = await db
      .selectFrom('dirty_window')
      .select(['chemical_system as chemicalSystem', 'stable_changed as stableChanged'])
      .where('functional', '=', functional)
      .orderBy('chemical_system')
      .execute();
    const affected = new Map(marks.map(({ chemicalSystem }) => [chemicalSystem, EVERYTHING]));
    // In a full rebuild everything is marked already.
    if (affected.size >= all.size) {
      await storeMarks(db, functional, []);
      return affected;
    }
    for (const { chemicalSystem, stableChanged } of marks) {
      const around = stableChanged ? systemsAround : hydrousAround;
      for (const [name, ions] of around(index, all, chemicalSystem)) {
        const known = affected.get(name);
        if (known !== EVERYTHING)
          affected.set(name, ions === EVERYTHING || !known ? ions : new Set([...known, ...ions]));
      }
    }
    await storeMarks(db, functional, [...affected.keys()]);
    return affected;
  }

  async function deriveScale(
    functional: string,
    releaseId: number,
    { signal, onProgress, distribute = inSequence, pieceSystems = PIECE_SYSTEMS }: RederiveOptions,
  ): Promise<WindowReport> {
    const all = await hulls.systems(functional);
    const marked = await spreadMarks(functional, new Set(all), systemIndex(all));
    const affected = [...marked].sort(([a], [b]) => (a < b ? -1 : 1));
    const reports = await distribute({
      kind: WINDOWS,
      inputs: piecesOf(affected, pieceSystems).map((piece) => ({
        functional,
        releaseId,
        affected: piece.map(([system, ions]) => [system, [...ions]] as const),
      })),
      doTask: windowPieces(database, hulls, work),
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
    run: (options: RederiveOptions = {}): Promise<readonly WindowReport[] | null> =>
      deriveMarked(hulls, 'windows', 'dirty_window', (functional, releaseId) =>
        deriveScale(functional, releaseId, options),
      ),

    /** Marks every system of every scale, so the next run derives all windows. */
    async markAll(): Promise<void> {
      await db
        .insertInto('dirty_window')
        .columns(['chemical_system', 'functional', 'stable_changed'])
        .expression(({ selectFrom }) =>
          selectFrom('material_energy')
            .select(['chemical_system', 'functional', sql<boolean>`false`.as('stable_changed')])
            .distinct(),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
