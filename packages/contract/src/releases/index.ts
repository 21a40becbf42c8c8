/** The calls of releases. */
import type { Call } from '../define-call.ts';
import { listReleases } from './list-releases.ts';

export * from './list-releases.ts';

export const releaseCalls: readonly Call[] = [listReleases];
