/** The calls of xrd. */
import type { Call } from '../define-call.ts';

export const xrdCalls: readonly Call[] = [];
