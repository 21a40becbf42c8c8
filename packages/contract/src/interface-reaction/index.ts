/** The calls of interface-reaction. */
import type { Call } from '../define-call.ts';

export const interfaceReactionCalls: readonly Call[] = [];
