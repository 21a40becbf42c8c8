/** The calls of prediction. */
import type { Call } from '../define-call.ts';
import { modelCard } from './model-card.ts';
import { predict } from './predict.ts';
import { predictionScore } from './prediction-score.ts';

export * from './model-card.ts';
export * from './predict.ts';
export * from './prediction-score.ts';
export * from './predicted-values.ts';

export const predictionCalls: readonly Call[] = [predict, modelCard, predictionScore];
