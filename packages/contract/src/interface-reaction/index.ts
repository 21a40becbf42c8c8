/** The calls of interface-reaction. */
import type { Call } from '../define-call.ts';
import { interfaceReceive } from './interface-receive.ts';

export * from './interface-receive.ts';

export const interfaceReactionCalls: readonly Call[] = [interfaceReceive];
