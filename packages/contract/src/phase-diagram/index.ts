/** The calls of phase-diagram. */
import type { Call } from '../define-call.ts';

export const phaseDiagramCalls: readonly Call[] = [];
