/**
 * Stability of the materials of one chemical system under conditions, for search tables: onsets of the
 * electrochemical windows, the interval of the oxygen potential, the decomposition energy in water.
 *
 * Energies are formation energies with the elements at 0 eV/atom, as `deriveSystem` leaves them. Windows need
 * only phases on the hull, because a phase that is stable in its own chemical system is also stable in every
 * larger system.
 *
 * Oxygen is exchanged like a working ion of charge 1: the voltage is then −μ(O), relative to O2 at the zero of
 * the energy scale (`zeroOfScale`), as in phase diagrams open to a gas. Solids keep their energies on this
 * scale.
 */
import type { Composition } from '@unitcell/crystal';
import {
  buildHull,
  type Hull,
  type PhaseEntry,
  windowOnsets,
  WORKING_ION_CHARGES,
} from '@unitcell/phase-equilibria';
import { elementsOfFormula, type StoredPhase } from '../../domain/thermodynamics/phase-entries.ts';
import { asFigure } from '../../domain/thermodynamics/phase-hull.ts';
import {
  energyInWater,
  isDissolvable,
  type ReferenceEnergies,
} from '../../domain/thermodynamics/water-species.ts';

/** Ions for which windows are derived. */
export const WORKING_IONS: readonly string[] = Object.keys(WORKING_ION_CHARGES);

/** Oxygen and water, which are derived together. */
export const AIR_AND_WATER = 'air and water';
/** Surroundings of a material, and the elements that it exchanges with them. */
export const SURROUNDINGS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(WORKING_IONS.map((ion) => [ion, [ion]])),
  [AIR_AND_WATER]: ['O', 'H'],
};

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
  /** eV/atom */
  readonly formationEnergyPerAtom: number;
}

export interface DerivedWindow {
  readonly structId: number;
  readonly workingIon: string;
  /** V against the ion's metal */
  readonly reductionOnset: number;
  /** null: no upper limit */
  readonly oxidationOnset: number | null;
}

/** Stability of a material against oxygen and in water; null: not derived, or no limit exists. */
export interface DerivedConditions {
  readonly structId: number;
  /** eV per O */
  readonly oxygenPotentialMin: number | null;
  /** eV per O; null: no upper limit, or an element of the material has no known oxide that would set the limit. */
  readonly oxygenPotentialMax: number | null;
  /** eV/atom */
  readonly decompositionEnergyInWater: number | null;
}

/** The chemical system of a formula: `Fe-O` for `Fe2O3`. */
export const systemOf = (formula: string): string => elementsOfFormula(formula).toSorted().join('-');

/** Adds elements to a system: `Fe-O-P` and Li give `Fe-Li-O-P`. */
export const unionWith = (system: string, ...added: readonly string[]): string =>
  [...new Set([...system.split('-'), ...added])].sort().join('-');

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
   * For every union of a system with an ion, with O, and with O and H: the systems within it, including the union itself
   * if it has phases.
   */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  /** The stable phases of each system listed in `parts`. */
  readonly stable: ReadonlyMap<string, readonly StablePhase[]>;
  readonly conditions: {
    /** Systems whose stability against oxygen and in water is derived. */
    readonly systems: ReadonlySet<string>;
    readonly hasOxygen: boolean;
    /** The lowest-energy phase of every formula, by system; contains all subsystems of each system with O and H. */
    readonly lowest: ReadonlyMap<string, readonly StoredPhase[]>;
    readonly references: ReferenceEnergies;
  };
}

export interface DerivedWindows {
  readonly windows: readonly DerivedWindow[];
  /** One entry for each target in `conditions.systems` of the request. */
  readonly conditions: readonly DerivedConditions[];
}

/** The slow part of deriving windows; runs in worker threads if there are any. */
export type WindowWork = (request: WindowsRequest) => Promise<DerivedWindows>;

/** Derives the windows of many systems; a few hundred take about a second. */
export function deriveWindows(request: WindowsRequest): DerivedWindows {
  const { systems, parts, stable } = request;
  const phasesOf = (union: string) => (parts.get(union) ?? []).flatMap((name) => stable.get(name) ?? []);
  return {
    windows: systems.flatMap(([system, targets, ions]) => windowsOfSystem(system, targets, ions, phasesOf)),
    conditions: conditionsOf(request, phasesOf),
  };
}

/**
 * Elements that oxygen does not oxidise, so the catalogue needs no oxide of them: all their binary oxides have
 * a positive Gibbs energy of formation at 298.15 K (D. D. Wagman et al., The NBS Tables, 1982).
 */
const WITHOUT_STABLE_OXIDE: ReadonlySet<string> = new Set(
  ['He', 'Ne', 'Ar', 'Kr', 'Xe', 'Rn'].concat(['F', 'Cl', 'Br', 'N', 'Au']),
);

/**
 * Whether the catalogue contains, for every oxidisable element of the system, a phase with that element and
 * oxygen. Without such a phase the potential above which a material takes up oxygen is unknown: metallic Cs
 * would appear stable in air.
 * @param known the systems that have phases, within the union of `system` and oxygen
 */
function hasOxides(system: string, known: readonly string[]): boolean {
  const oxidised = new Set(
    known.map((name) => name.split('-')).flatMap((elements) => (elements.includes('O') ? elements : [])),
  );
  return system
    .split('-')
    .every((element) => element === 'O' || oxidised.has(element) || WITHOUT_STABLE_OXIDE.has(element));
}

/** The value with opposite sign. It is calculated as 0 - x, because -x would store -0 for x = 0. */
const negative = (volts: number | null | undefined): number | null =>
  volts === null || volts === undefined ? null : 0 - volts;

function conditionsOf(
  { systems, parts, conditions }: WindowsRequest,
  stablePhasesOf: (union: string) => Iterable<StablePhase>,
): DerivedConditions[] {
  /** Systems that differ only in O and H have the same dissolved species. */
  const waters = new Map<string, ReturnType<typeof energyInWater>>();
  const waterOf = (union: string): ReturnType<typeof energyInWater> => {
    let water = waters.get(union);
    if (water === undefined) {
      const phases = (parts.get(union) ?? []).flatMap((name) => conditions.lowest.get(name) ?? []);
      water = energyInWater(union.split('-').filter(isDissolvable), phases, conditions.references);
      waters.set(union, water);
    }
    return water;
  };
  return systems.flatMap(([system, targets]) => {
    if (!conditions.systems.has(system)) return [];
    const exchanged = windowsOfSystem(system, targets, conditions.hasOxygen ? ['O'] : [], stablePhasesOf);
    const oxygen = new Map(exchanged.map((window) => [window.structId, window]));
    const isBounded = hasOxides(system, parts.get(unionWith(system, 'O')) ?? []);
    const energyOf = waterOf(unionWith(system, 'O', 'H'));
    return targets.map(({ structId, fractions, formationEnergyPerAtom }) => {
      const window = oxygen.get(structId);
      return {
        structId,
        oxygenPotentialMin: negative(window?.oxidationOnset),
        oxygenPotentialMax: isBounded ? negative(window?.reductionOnset) : null,
        decompositionEnergyInWater: energyOf && asFigure(energyOf(fractions, formationEnergyPerAtom)),
      };
    });
  });
}

/**
 * @param system the chemical system of all targets
 * @param ions working ions, or oxygen, that have energies on this scale
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
    const union = unionWith(system, ion);
    const hull = hulls.get(union) ?? hullOf(union.split('-'), stablePhasesOf(union));
    hulls.set(union, hull);
    // Polymorphs share their window because it depends only on the composition.
    const known = new Map<string, Pick<DerivedWindow, 'reductionOnset' | 'oxidationOnset'>>();
    for (const { structId, formulaReduced, fractions } of targets) {
      let onsets = known.get(formulaReduced);
      if (onsets === undefined) {
        const charge = WORKING_ION_CHARGES[ion] ?? 1;
        const { reductionOnsetV, oxidationOnsetV } = windowOnsets(hull, fractions, ion, charge);
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
