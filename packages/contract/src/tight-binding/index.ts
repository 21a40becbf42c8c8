/** The calls of tight-binding. */
import type { Call } from '../define-call.ts';
import { getBandData } from './get-band-data.ts';
import { getLatticeStructure } from './get-lattice-structure.ts';

export * from './get-band-data.ts';
export * from './get-lattice-structure.ts';

export const tightBindingCalls: readonly Call[] = [getLatticeStructure, getBandData];
