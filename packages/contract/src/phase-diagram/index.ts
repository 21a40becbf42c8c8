/** The calls of phase-diagram. */
import type { Call } from '../define-call.ts';
import { getChemicalPotentials } from './chemical-potentials.ts';
import { getEnergyScales } from './get-energy-scales.ts';
import { getPhaseDiagram, phaseDiagramHandle, placeCompound } from './phase-diagram.ts';

export * from './chemical-potentials.ts';
export * from './completeness.ts';
export * from './energy-scale.ts';
export * from './get-energy-scales.ts';
export * from './phase-diagram.ts';
export * from './scale-trust.ts';

export const phaseDiagramCalls: readonly Call[] = [
  phaseDiagramHandle,
  getPhaseDiagram,
  placeCompound,
  getChemicalPotentials,
  getEnergyScales,
];
