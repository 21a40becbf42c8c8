/**
 * One piece of a scale's windows: some chemical systems, each with the working ions whose windows are derived
 * again.
 */
import { atomicFractions, type Composition, parseFormula } from '@unitcell/crystal';
import {
  deriveWindows,
  type StablePhase,
  type WindowTarget,
  type WindowWork,
  withIon,
  WORKING_IONS,
} from './derive-windows.ts';
import { STABLE_TOLERANCE } from './hull-pieces.ts';
import type { HullRepository } from './hull.repository.ts';
import { systemIndex } from './system-index.ts';
import type { WindowRepository } from './window.repository.ts';

/** The kind of these pieces. */
export const WINDOWS = 'windows';

/** eV/atom above the hull up to which a material gets windows. Such phases are commonly synthesised. */
export const METASTABLE_LIMIT = 0.1;

export interface WindowPiece {
  readonly functional: string;
  readonly releaseId: number;
  readonly affected: readonly (readonly [system: string, ions: readonly string[]])[];
}

export interface WindowPieceReport {
  readonly windows: number;
}

/** Derives pieces. Stable phases read for one release are cached for its next pieces. */
export function windowPieces(
  repository: WindowRepository,
  hulls: HullRepository,
  work: WindowWork = async (request) => deriveWindows(request),
): (piece: WindowPiece) => Promise<WindowPieceReport> {
  const known = new Map<string, Composition>();
  const fractionsOf = (formula: string): Composition => {
    let fractions = known.get(formula);
    if (!fractions) {
      fractions = atomicFractions(parseFormula(formula));
      known.set(formula, fractions);
    }
    return fractions;
  };

  const openRelease = async (functional: string) => {
    const all = await hulls.systems(functional);
    return {
      existing: new Set(all),
      index: systemIndex(all),
      available: await repository.availableIons(functional, WORKING_IONS),
      /** Stable phases by system, read on first use. */
      stable: new Map<string, readonly StablePhase[]>(),
    };
  };
  let last: { readonly releaseId: number; readonly opened: ReturnType<typeof openRelease> } | null = null;

  return async ({ functional, releaseId, affected }) => {
    if (last?.releaseId !== releaseId) last = { releaseId, opened: openRelease(functional) };
    const { existing, index, available, stable } = await last.opened;
    const ions = new Map(affected);
    const ionsOf = (system: string): readonly string[] =>
      available.filter((ion) => ions.get(system)?.includes(ion));
    /** The system itself, if it exists, and all systems within it. */
    const within = (union: string): string[] => [
      ...(existing.has(union) ? [union] : []),
      ...index.properSubsets(union),
    ];

    const targets = new Map<string, WindowTarget[]>();
    for (const row of await repository.targets(functional, [...ions.keys()], METASTABLE_LIMIT)) {
      const target = { ...row, fractions: fractionsOf(row.formulaReduced) };
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
    const missing = [...new Set([...parts.values()].flat())].filter((name) => !stable.has(name));
    const found = new Map<string, StablePhase[]>(missing.map((name) => [name, []]));
    const rows = missing.length > 0 ? await repository.stable(functional, missing, STABLE_TOLERANCE) : [];
    for (const { chemicalSystem, structId, formulaReduced, formationEnergyPerAtom } of rows)
      found
        .get(chemicalSystem)
        ?.push({ structId, fractions: fractionsOf(formulaReduced), formationEnergyPerAtom });
    for (const [name, phases] of found) stable.set(name, phases);

    const made = await work({
      systems: [...targets].map(([system, list]) => [system, list, ionsOf(system)]),
      parts,
      stable: new Map([...parts.values()].flat().map((name) => [name, stable.get(name) ?? []])),
    });
    await repository.replace(functional, releaseId, ions, made);
    return { windows: made.length };
  };
}
