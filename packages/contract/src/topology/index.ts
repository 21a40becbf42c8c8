/** The calls of topology. */
import type { Call } from '../define-call.ts';
import { fetchIrvsp } from './fetch-irvsp.ts';

export * from './fetch-irvsp.ts';

export const topologyCalls: readonly Call[] = [fetchIrvsp];
