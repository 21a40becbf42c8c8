/** The calls of xrd. */
import type { Call } from '../define-call.ts';
import { xrdGet } from './xrd-get.ts';
import { xrdCancel, xrdExplain, xrdMatch, xrdProgress } from './xrd-match.ts';
import { xrdNorData, xrdRemoveBg } from './xrd-prepare.ts';
import { xrdReceive } from './xrd-receive.ts';

export * from './fields.ts';
export * from './xrd-get.ts';
export * from './xrd-match.ts';
export * from './xrd-prepare.ts';
export * from './xrd-receive.ts';

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
