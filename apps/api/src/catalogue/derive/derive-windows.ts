/**
 * Electrochemical windows (only their onsets) of the materials of one chemical system, for search tables.
 *
 * Energies are formation energies with the elements at 0 eV/atom, as `deriveSystem` leaves them. Only phases on the
 * hull matter: what is stable in its own system is stable in every system around it.
 */
import type { Composition } from '@unitcell/crystal';
import {
  buildHull,
  type Hull,
  type PhaseEntry,
  windowOnsets,
  WORKING_ION_CHARGES,
} from '@unitcell/phase-equilibria';
import { asFigure } from '../../domain/thermodynamics/phase-hull.ts';

/** Ions for which windows are derived. */
export const WORKING_IONS: readonly string[] = Object.keys(WORKING_ION_CHARGES);

export interface StablePhase {
  readonly structId: number;
  /** Atomic fractions. */
  readonly fractions: Composition;
  /** eV/atom */
  readonly formationEnergyPerAtom: number;
}

export interface WindowTarget {
  readonly structId: number;
  readonly formulaReduced: string;
  readonly fractions: Composition;
}

export interface DerivedWindow {
  readonly structId: number;
  readonly workingIon: string;
  /** V against the ion's metal */
  readonly reductionOnset: number;
  /** null: no upper limit */
  readonly oxidationOnset: number | null;
}

/** Adds the ion to a system: `Fe-O-P` and Li give `Fe-Li-O-P`. */
export const withIon = (system: string, ion: string): string =>
  [...new Set([...system.split('-'), ion])].sort().join('-');

function hullOf(elements: readonly string[], phases: Iterable<StablePhase>): Hull {
  const entries: PhaseEntry[] = [];
  for (const { structId, fractions, formationEnergyPerAtom } of phases)
    entries.push({ id: String(structId), composition: fractions, energy: formationEnergyPerAtom });
  for (const element of elements)
    entries.push({ id: `reference:${element}`, composition: { [element]: 1 }, energy: 0 });
  return buildHull(entries, { elements });
}

export interface WindowsRequest {
  /** Chemical systems with their targets, and the working ions that have energies on this scale. */
  readonly systems: readonly (readonly [
    system: string,
    targets: readonly WindowTarget[],
    ions: readonly string[],
  ])[];
  /**
   * For every union of a system with one of its ions: the systems within it, including the union itself if it
   * has phases.
   */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  /** The stable phases of each of those systems. */
  readonly stable: ReadonlyMap<string, readonly StablePhase[]>;
}

/** The slow part of deriving windows; runs in worker threads if there are any. */
export type WindowWork = (request: WindowsRequest) => Promise<DerivedWindow[]>;

/** Derives the windows of many systems; a few hundred take about a second. */
export function deriveWindows({ systems, parts, stable }: WindowsRequest): DerivedWindow[] {
  const phasesOf = (union: string) => (parts.get(union) ?? []).flatMap((name) => stable.get(name) ?? []);
  return systems.flatMap(([system, targets, ions]) => windowsOfSystem(system, targets, ions, phasesOf));
}

/**
 * @param system the chemical system of all targets
 * @param ions working ions that have energies on this scale
 * @param stablePhasesOf the stable phases of a system and of all systems within it
 */
function windowsOfSystem(
  system: string,
  targets: readonly WindowTarget[],
  ions: readonly string[],
  stablePhasesOf: (system: string) => Iterable<StablePhase>,
): DerivedWindow[] {
  const hulls = new Map<string, Hull>();
  const windows: DerivedWindow[] = [];
  for (const ion of ions) {
    if (system === ion) continue;
    const union = withIon(system, ion);
    const hull = hulls.get(union) ?? hullOf(union.split('-'), stablePhasesOf(union));
    hulls.set(union, hull);
    // Polymorphs share their window because it depends only on the composition.
    const known = new Map<string, Pick<DerivedWindow, 'reductionOnset' | 'oxidationOnset'>>();
    for (const { structId, formulaReduced, fractions } of targets) {
      let onsets = known.get(formulaReduced);
      if (onsets === undefined) {
        const { reductionOnsetV, oxidationOnsetV } = windowOnsets(hull, fractions, ion);
        onsets = {
          reductionOnset: asFigure(reductionOnsetV),
          oxidationOnset: oxidationOnsetV === null ? null : asFigure(oxidationOnsetV),
        };
        known.set(formulaReduced, onsets);
      }
      windows.push({ structId, workingIon: ion, ...onsets });
    }
  }
  return windows;
}
