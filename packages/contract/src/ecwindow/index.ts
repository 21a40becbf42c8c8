/** The calls of ecwindow. */
import type { Call } from '../define-call.ts';
import { getEcwDetail } from './get-ecw-detail.ts';
import { searchWindowsByElements, searchWindowsByFormula, searchWindowsById } from './search.ts';

export * from './get-ecw-detail.ts';
export * from './search.ts';

export const ecwindowCalls: readonly Call[] = [
  searchWindowsByElements,
  searchWindowsByFormula,
  searchWindowsById,
  getEcwDetail,
];
