/** The calls of the operator's page. */
import type { Call } from '../define-call.ts';
import { peopleCalls } from './people.ts';
import { siteCalls } from './site.ts';
import { workCalls } from './work.ts';

export * from './people.ts';
export * from './site.ts';
export * from './work.ts';
export * from './rules.ts';

export const operateCalls: readonly Call[] = [...peopleCalls, ...workCalls, ...siteCalls];
