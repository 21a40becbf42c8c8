/** The calls of phase-diagram. */
import type { Call } from '../define-call.ts';
import { getPhaseDiagram, phaseDiagramHandle, placeCompound } from './phase-diagram.ts';

export * from './energy-scale.ts';
export * from './phase-diagram.ts';

export const phaseDiagramCalls: readonly Call[] = [phaseDiagramHandle, getPhaseDiagram, placeCompound];
