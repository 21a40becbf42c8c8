/** The calls of tight-binding. */
import type { Call } from '../define-call.ts';

export const tightBindingCalls: readonly Call[] = [];
