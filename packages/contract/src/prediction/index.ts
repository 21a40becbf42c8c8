/** The calls of prediction. */
import type { Call } from '../define-call.ts';
import { predict } from './predict.ts';

export * from './predict.ts';

export const predictionCalls: readonly Call[] = [predict];
