/** The calls of about. */
import type { Call } from '../define-call.ts';
import { getData } from './get-data.ts';
import { getLists } from './get-lists.ts';

export * from './get-data.ts';
export * from './get-lists.ts';

export const aboutCalls: readonly Call[] = [getData, getLists];
