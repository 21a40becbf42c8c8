/** The calls of run4u. */
import type { Call } from '../define-call.ts';

export const run4uCalls: readonly Call[] = [];
