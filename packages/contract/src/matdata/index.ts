/** The calls of matdata. */
import type { Call } from '../define-call.ts';
import { getBrillouinZone, getXrdHandle, getXrdHandle2 } from './crystal-views.ts';
import { getRelated } from './get-related.ts';
import { getStructDetail } from './get-struct-detail.ts';
import { downloadScreened, materialRows, screenElements, screenMaterials, screenPoints } from './screen.ts';
import { searchByElements, searchByFormula, searchByStructId } from './search.ts';

export * from './files.ts';
export * from './crystal-views.ts';
export * from './get-related.ts';
export * from './get-struct-detail.ts';
export * from './screen.ts';
export * from './search.ts';
export * from './material-record.ts';
export * from './section-source.ts';
export * from './rules.ts';

export const matdataCalls: readonly Call[] = [
  searchByElements,
  searchByFormula,
  searchByStructId,
  screenMaterials,
  downloadScreened,
  screenPoints,
  screenElements,
  materialRows,
  getStructDetail,
  getBrillouinZone,
  getRelated,
  getXrdHandle,
  getXrdHandle2,
];
