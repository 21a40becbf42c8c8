/**
 * Electrochemical windows of marked chemical systems: every stable and metastable material against every working
 * ion. The hulls leave the marks (see `rederive-hulls.service.ts`); each chunk of systems takes its marks away with
 * the same transaction that stores its windows, so an interrupted run goes on where it stopped.
 */
import { atomicFractions, type Composition, parseFormula } from '@unitcell/crystal';
import {
  deriveWindows,
  type StablePhase,
  type WindowTarget,
  withIon,
  WORKING_IONS,
} from './derive-windows.ts';
import type { HullRepository } from './hull.repository.ts';
import { STABLE_TOLERANCE } from './rederive-hulls.service.ts';
import type { RederiveOptions } from './rederive-hulls.service.ts';
import { type SystemIndex, systemIndex } from './system-index.ts';
import type { WindowRepository } from './window.repository.ts';

/** eV/atom above the hull up to which a material gets windows: what is commonly still made in a laboratory. */
export const METASTABLE_LIMIT = 0.1;
/** Systems read from and written to the database at once. */
const CHUNK_SYSTEMS = 400;

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

export function rederiveWindows(repository: WindowRepository, hulls: HullRepository) {
  const fractionsOf = new Map<string, Composition>();
  const fractionsOfFormula = (formula: string): Composition => {
    let fractions = fractionsOf.get(formula);
    if (!fractions) {
      fractions = atomicFractions(parseFormula(formula));
      fractionsOf.set(formula, fractions);
    }
    return fractions;
  };

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
    options: RederiveOptions,
  ): Promise<WindowReport> {
    const all = await hulls.systems(functional);
    const index = systemIndex(all);
    const existing = new Set(all);
    const affected = await spreadMarks(functional, existing, index);
    const systems = [...affected.keys()].sort();
    const available = await repository.availableIons(functional, WORKING_IONS);
    const ionsOf = (system: string): readonly string[] =>
      available.filter((ion) => affected.get(system)?.has(ion));
    /** Stable phases by system, read when first needed. */
    const stable = new Map<string, readonly StablePhase[]>();
    let windows = 0;

    /** The system itself, where it exists, and all inside it. */
    const within = (union: string): string[] => [
      ...(existing.has(union) ? [union] : []),
      ...index.properSubsets(union),
    ];

    const loadStable = async (names: ReadonlySet<string>): Promise<void> => {
      const missing = [...names].filter((name) => !stable.has(name));
      if (missing.length === 0) return;
      const found = new Map<string, StablePhase[]>(missing.map((name) => [name, []]));
      for (const row of await repository.stable(functional, missing, STABLE_TOLERANCE))
        found.get(row.chemicalSystem)?.push({
          structId: row.structId,
          fractions: fractionsOfFormula(row.formulaReduced),
          formationEnergyPerAtom: row.formationEnergyPerAtom,
        });
      for (const [name, phases] of found) stable.set(name, phases);
    };

    for (let start = 0; start < systems.length; start += CHUNK_SYSTEMS) {
      options.signal?.throwIfAborted();
      const chunk = systems.slice(start, start + CHUNK_SYSTEMS);
      const targets = new Map<string, WindowTarget[]>();
      for (const row of await repository.targets(functional, chunk, METASTABLE_LIMIT)) {
        const target = { ...row, fractions: fractionsOfFormula(row.formulaReduced) };
        const list = targets.get(row.chemicalSystem);
        if (list) list.push(target);
        else targets.set(row.chemicalSystem, [target]);
      }
      const parts = new Map<string, readonly string[]>();
      for (const system of targets.keys())
        for (const ion of ionsOf(system)) {
          const union = withIon(system, ion);
          if (!parts.has(union)) parts.set(union, within(union));
        }
      await loadStable(new Set([...parts.values()].flat()));
      const phasesOf = (union: string) => (parts.get(union) ?? []).flatMap((name) => stable.get(name) ?? []);
      const made = [...targets].flatMap(([system, list]) =>
        deriveWindows(system, list, ionsOf(system), phasesOf),
      );
      const replaced = new Map(chunk.map((system) => [system, [...(affected.get(system) ?? EVERY_ION)]]));
      await repository.replace(functional, releaseId, replaced, made);
      windows += made.length;
      options.onProgress?.(Math.min(start + CHUNK_SYSTEMS, systems.length), systems.length);
    }
    return { functional, releaseId, systems: systems.length, windows };
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
