/** The chemical potentials at which a compound is stable. Pure; runs in a worker thread. */
import type { ChemicalPotentials, LimitingPhaseAnswer } from '@unitcell/contract';
import type { Composition } from '@unitcell/crystal';
import {
  chemicalPotentialRegion,
  decomposition,
  energyAboveHull,
  type LimitingPhase,
  lowestEntryIndex,
} from '@unitcell/phase-equilibria';
import { asFigure } from '../../domain/thermodynamics/energy-digits.ts';
import type { CatalogueEntry } from '../../domain/thermodynamics/phase-hull.ts';
import { type DiagramRequest, hullOfComponents } from './draw-phase-diagram.ts';

export interface PotentialsRequest extends DiagramRequest {
  readonly composition: Composition;
}

/** Why there is no region. */
export interface NoRegion {
  /** eV/atom; null where no phase has the composition. */
  readonly eAboveHull: number | null;
  /** What is there in equilibrium: `TiO2 + Ti`. */
  readonly products: string;
}

const answerOf = (phase: LimitingPhase<CatalogueEntry>): LimitingPhaseAnswer => ({
  formula: phase.formula,
  id: phase.entry.structId,
  amounts: [...phase.amounts],
  formation_energy: asFigure(phase.formationEnergy),
});

export function findChemicalPotentials(request: PotentialsRequest): ChemicalPotentials | NoRegion {
  const { components, phases, composition, scale, completeness } = request;
  const hull = hullOfComponents(components, phases);
  const lowest = hull.entries[lowestEntryIndex(hull, composition)];
  const products = decomposition(hull, composition)
    .map(({ formula }) => formula)
    .join(' + ');
  if (lowest === undefined) return { eAboveHull: null, products };
  const region = chemicalPotentialRegion(hull, composition);
  if (region === null) return { eAboveHull: energyAboveHull(hull, lowest), products };
  return {
    error: 'false',
    message: '',
    elements: [...region.components],
    compound: answerOf(region.compound),
    limits: region.limits.map(answerOf),
    corners: region.corners.map(({ potentials, limits }) => ({
      potentials: potentials.map(asFigure),
      limits: [...limits],
    })),
    // A compound that is missing could only cut something off.
    completeness: {
      ...completeness,
      bounds: completeness.status === 'incomplete' ? { corners: 'upper' } : {},
    },
    ...scale,
  };
}
