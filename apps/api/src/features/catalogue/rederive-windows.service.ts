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

/**
 * Systems whose windows may change when the stable phases of `system` did: the window of T against I stands on
 * T ∪ {I}, so T holds all elements of `system`, an ion among them aside.
 */
export function systemsAround(index: SystemIndex, all: readonly string[], system: string): Set<string> {
  const around = new Set(index.properSupersets(system));
  const elements = system.split('-');
  for (const ion of WORKING_IONS) {
    if (!elements.includes(ion)) continue;
    const rest = elements.filter((element) => element !== ion);
    if (rest.length === 0) return new Set(all);
    around.add(rest.join('-'));
    for (const superset of index.properSupersets(rest.join('-'))) around.add(superset);
  }
  const existing = new Set(all);
  return new Set([...around].filter((name) => existing.has(name)));
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

  /** Turns every mark into one that stands for its own system alone; answers the marked systems. */
  async function spreadMarks(
    functional: string,
    all: readonly string[],
    index: SystemIndex,
  ): Promise<string[]> {
    const marks = await repository.marks(functional);
    const marked = new Set(marks.map(({ chemicalSystem }) => chemicalSystem));
    const changed = marks.filter(({ stableChanged }) => stableChanged);
    if (changed.length === 0) return [...marked];
    const around = new Set<string>();
    for (const { chemicalSystem } of changed) {
      // Nothing is left to find once all there is is marked: a whole rebuild.
      if (marked.size + around.size >= all.length) break;
      for (const name of systemsAround(index, all, chemicalSystem)) if (!marked.has(name)) around.add(name);
    }
    await repository.spreadMarks(functional, [...around]);
    return [...marked, ...around];
  }

  async function deriveScale(
    functional: string,
    releaseId: number,
    options: RederiveOptions,
  ): Promise<WindowReport> {
    const all = await repository.systems(functional);
    const index = systemIndex(all);
    const systems = (await spreadMarks(functional, all, index)).sort();
    const ions = await repository.availableIons(functional, WORKING_IONS);
    const existing = new Set(all);
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
        for (const ion of ions) {
          const union = withIon(system, ion);
          if (!parts.has(union)) parts.set(union, within(union));
        }
      await loadStable(new Set([...parts.values()].flat()));
      const phasesOf = (union: string) => (parts.get(union) ?? []).flatMap((name) => stable.get(name) ?? []);
      const made = [...targets].flatMap(([system, list]) => deriveWindows(system, list, ions, phasesOf));
      await repository.replace(functional, releaseId, chunk, made);
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
