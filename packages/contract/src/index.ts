/** Every call of the API, one object each. `calls` lists them all. */
import * as account from './account/login.ts';
import { getData } from './about/get-data.ts';
import type { Call } from './define-call.ts';
import { getBrillouinZone } from './matdata/get-brillouin-zone.ts';
import { getStructDetail } from './matdata/get-struct-detail.ts';
import { getXrdHandle, getXrdHandle2 } from './matdata/xrd-handle.ts';
import { fetchIrvsp } from './topology/fetch-irvsp.ts';
import { searchByElements, searchByFormula, searchByStructId } from './matdata/search.ts';

export * from './common.ts';
export * from './define-call.ts';
export * from './account/fields.ts';
export * from './account/login.ts';
export * from './about/get-data.ts';
export * from './jobs/index.ts';
export * from './catalogue/import-line.ts';
export * from './matdata/get-brillouin-zone.ts';
export * from './matdata/get-struct-detail.ts';
export * from './matdata/xrd-handle.ts';
export * from './topology/fetch-irvsp.ts';
export * from './matdata/search.ts';

/** All calls, for the OpenAPI document and for tests that sweep every route. */
export const calls: readonly Call[] = [
  account.loginRequestSm,
  account.registerRequestSm,
  account.bindRequestSm,
  account.loginGetSmsToken,
  account.registerGetSmsToken,
  account.bindGetSmsToken,
  account.loginCheckSm,
  account.registerCheckSm,
  account.getUserInfor,
  account.logout,
  getData,
  searchByElements,
  searchByFormula,
  searchByStructId,
  getStructDetail,
  getBrillouinZone,
  getXrdHandle,
  getXrdHandle2,
  fetchIrvsp,
];
