/** A compound that is not in the catalogue, on the hull of those that are. Pure; runs in a worker thread. */
import type { PlacedCompound } from '@unitcell/contract';
import { atomCount, type Composition, displayFormula } from '@unitcell/crystal';
import {
  decomposition,
  diagramCoordinates,
  energyAboveHull,
  formationEnergyPerAtom,
} from '@unitcell/phase-equilibria';
import { type DiagramRequest, hullOfComponents } from './draw-phase-diagram.ts';
import { asFigure } from '../../domain/thermodynamics/energy-digits.ts';

export interface PlaceRequest extends DiagramRequest {
  readonly composition: Composition;
  /** Relative to the elements, eV/atom. */
  readonly formationEnergyPerAtom: number;
}

export function placeInDiagram(request: PlaceRequest): PlacedCompound {
  const { components, phases, composition, scale, completeness } = request;
  const hull = hullOfComponents(components, phases);
  const entry = { composition, energy: request.formationEnergyPerAtom * atomCount(composition) };
  const energy = formationEnergyPerAtom(hull, entry);
  const [x = 0, y = 0, z] = diagramCoordinates(hull, entry, energy);
  return {
    error: 'false',
    message: '',
    formula: displayFormula(composition),
    x,
    y,
    ...(z === undefined ? {} : { z }),
    fEnergy: asFigure(energy),
    eAboveHull: asFigure(energyAboveHull(hull, entry)),
    decomposition: decomposition(hull, composition).map((part) => ({
      formula: part.formula,
      id: part.entry.structId,
      fraction: part.atomicFraction,
    })),
    completeness,
    ...scale,
  };
}
