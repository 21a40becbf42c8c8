/**
 * Insertion electrodes. The states of an electrode are materials with the same host: their structures match
 * without the working ion. Runs in worker threads.
 *
 * Energies are formation energies with the elements at 0 eV/atom, so the metal of the working ion has energy
 * 0.
 */
import type { ElectrodeStep } from '@unitcell/contract/electrodes';
import { atomCount, type CompactCell, fromCompactCell, reducedFormula } from '@unitcell/crystal';
import { insertionElectrode, type InsertionElectrode } from '@unitcell/phase-equilibria';
import { frameworkOf, groupByFramework, type HostFramework, SymmetryError } from '@unitcell/symmetry';
import { asFigure, asFigures } from '../../domain/thermodynamics/phase-hull.ts';
import type { StoredElectrodeState } from '../../infra/stored-json.ts';

export interface HostMaterial {
  readonly structId: number;
  /** eV/atom */
  readonly formationEnergyPerAtom: number;
  /** eV/atom */
  readonly energyAboveHull: number;
  readonly cell: CompactCell;
}

/** Materials of one framework composition. */
export interface HostRequest {
  readonly ion: string;
  /** Chemical system of the host's elements together with the ion. */
  readonly system: string;
  readonly materials: readonly HostMaterial[];
}

export interface DerivedElectrode {
  readonly ion: string;
  readonly system: string;
  readonly framework: string;
  readonly electrode: Omit<InsertionElectrode, 'charged' | 'discharged' | 'steps' | 'aboveHostHull'>;
  readonly charged: StoredElectrodeState;
  readonly discharged: StoredElectrodeState;
  readonly steps: readonly ElectrodeStep[];
  readonly states: readonly StoredElectrodeState[];
}

/** The slow part of deriving electrodes; runs in worker threads if there are any. */
export type ElectrodeWork = (hosts: readonly HostRequest[]) => Promise<DerivedElectrode[]>;

interface Host {
  readonly material: HostMaterial;
  readonly framework: HostFramework;
}

/** Returns null for a structure that symmetry analysis cannot handle: it belongs to no host. */
function hostOf(material: HostMaterial, ion: string): Host | null {
  try {
    const framework = frameworkOf(fromCompactCell(material.cell), ion);
    return framework && { material, framework };
  } catch (error) {
    if (error instanceof SymmetryError) return null;
    throw error;
  }
}

function electrodeOf(hosts: readonly Host[], { ion, system }: HostRequest): DerivedElectrode | null {
  const [first] = hosts;
  if (first === undefined) return null;
  const { unit } = first.framework;
  const atoms = atomCount(unit);
  const states = hosts
    .map(({ material, framework }) => ({
      id: String(material.structId),
      ionContent: framework.ionContent,
      energy: material.formationEnergyPerAtom * (atoms + framework.ionContent),
      volume: framework.volume,
      material,
    }))
    .sort((a, b) => a.ionContent - b.ionContent || a.energy - b.energy);
  const found = insertionElectrode(states, unit, ion);
  if (found === null) return null;
  const { charged, discharged, steps, aboveHostHull, ...electrode } = found;
  const onProfile = new Set([charged, ...steps.map((step) => step.discharged)]);
  const stored = new Map(
    states.map((state, index): [typeof state, StoredElectrodeState] => [
      state,
      {
        structId: state.material.structId,
        content: asFigure(state.ionContent),
        volume: asFigure(state.volume),
        aboveHull: state.material.energyAboveHull,
        aboveProfile: asFigure(aboveHostHull[index] ?? 0),
        isOnProfile: onProfile.has(state),
      },
    ]),
  );
  const [chargedEnd, dischargedEnd] = [stored.get(charged), stored.get(discharged)];
  if (!chargedEnd || !dischargedEnd) return null;
  return {
    ion,
    system,
    framework: reducedFormula(unit),
    electrode: asFigures(electrode),
    charged: chargedEnd,
    discharged: dischargedEnd,
    steps: steps.map((step) => ({
      charged_id: step.charged.material.structId,
      discharged_id: step.discharged.material.structId,
      from: asFigure(step.charged.ionContent),
      to: asFigure(step.discharged.ionContent),
      voltage: asFigure(step.voltage),
    })),
    states: [...stored.values()],
  };
}

/** Derives the electrodes of many hosts; a host of 50 materials takes about a second. */
export function deriveElectrodes(requests: readonly HostRequest[]): DerivedElectrode[] {
  return requests.flatMap((request) => {
    const hosts = request.materials.flatMap((material) => hostOf(material, request.ion) ?? []);
    const groups = groupByFramework(hosts.map(({ framework }) => framework));
    return groups.flatMap(
      (members) =>
        electrodeOf(
          members.flatMap((index) => hosts[index] ?? []),
          request,
        ) ?? [],
    );
  });
}
