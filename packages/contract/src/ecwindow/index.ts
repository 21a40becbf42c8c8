/** The calls of ecwindow. */
import type { Call } from '../define-call.ts';

export const ecwindowCalls: readonly Call[] = [];
