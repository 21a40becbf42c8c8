/** The calls of prediction. */
import type { Call } from '../define-call.ts';
import { predict } from './predict.ts';
import { predictionScore } from './prediction-score.ts';

export * from './predict.ts';
export * from './prediction-score.ts';
export * from './predicted-values.ts';

export const predictionCalls: readonly Call[] = [predict, predictionScore];
