/** The calls of run4u. */
import type { Call } from '../define-call.ts';
import { dashboardHandle, watchSubmissions } from './dashboard-handle.ts';
import { run4uDetail } from './run4u-detail.ts';
import { run4uExpect } from './run4u-expect.ts';
import { run4uHandle } from './run4u-handle.ts';
import { run4uCancel, run4uResubmit, run4uSubmit } from './run4u-submit.ts';

export * from './dashboard-handle.ts';
export * from './fields.ts';
export * from './run4u-detail.ts';
export * from './run4u-expect.ts';
export * from './run4u-handle.ts';
export * from './run4u-submit.ts';

export const run4uCalls: readonly Call[] = [
  dashboardHandle,
  run4uCancel,
  run4uDetail,
  run4uExpect,
  run4uHandle,
  run4uResubmit,
  run4uSubmit,
  watchSubmissions,
];
