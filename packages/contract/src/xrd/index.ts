/** The calls of xrd. */
import type { Call } from '../define-call.ts';
import { xrdCancel } from './xrd-cancel.ts';
import { xrdExplain } from './xrd-explain.ts';
import { xrdGet } from './xrd-get.ts';
import { xrdMatch } from './xrd-match.ts';
import { xrdNorData } from './xrd-nor-data.ts';
import { xrdProgress } from './xrd-progress.ts';
import { xrdReceive } from './xrd-receive.ts';
import { xrdRemoveBg } from './xrd-remove-bg.ts';

export * from './fields.ts';
export * from './xrd-cancel.ts';
export * from './xrd-explain.ts';
export * from './xrd-get.ts';
export * from './xrd-match.ts';
export * from './xrd-nor-data.ts';
export * from './xrd-progress.ts';
export * from './xrd-receive.ts';
export * from './xrd-remove-bg.ts';

export const xrdCalls: readonly Call[] = [
  xrdCancel,
  xrdExplain,
  xrdGet,
  xrdMatch,
  xrdNorData,
  xrdProgress,
  xrdReceive,
  xrdRemoveBg,
];
